/**
 * Decides when this member starts a view change. It must be the lowest of those who could form a better view than the
 * present one. The wish must also be old enough for others to join in.
 */
import type { CoreContext } from "./core-context.ts"
import { MESH_MEMBERS_MAX } from "../view/group-types.ts"
import { hasInstance, sameInstances, type View } from "../view/view.ts"
import { BLAME_MAX, PATIENCE_WITH_LOWEST } from "../liveness/blame.ts"
import type { MemberId } from "../members/ids.ts"
import { compareProposals, MEMBERS_MAX, type MemberInstance } from "../wire/messages.ts"
import { viewCandidates } from "./candidates.ts"
import type { Coordinator } from "./coordinator.ts"
import type { Participant } from "./participant.ts"
import { EPOCH_JUMP_MAX } from "./proposal-verdict.ts"

export class Initiator {
  readonly #context: CoreContext
  readonly #coordinator: Coordinator
  readonly #participant: Participant
  #startedMs: number | null = null
  /** The highest epoch that it has proposed itself. */
  #epochProposed = 0
  #wish: { readonly members: readonly MemberInstance[]; readonly sinceMs: number } | null = null
  #differsSinceMs: number | null = null
  /** Another view is wanted, and the lowest candidate should propose it. */
  #waiting: { readonly lowest: MemberId; readonly sinceMs: number } | null = null
  #refreshWanted = false
  #known: {
    readonly view: View["id"]
    readonly version: number
    readonly candidates: readonly MemberInstance[]
  } | null = null

  constructor(context: CoreContext, coordinator: Coordinator, participant: Participant) {
    this.#context = context
    this.#coordinator = coordinator
    this.#participant = participant
  }

  /** Whether the present view is the wanted one, for all that is known. */
  get isIdle(): boolean {
    const { config, view } = this.#context
    return (
      view.epoch > config.epochFloor && this.#wish === null && this.#waiting === null && this.#differsSinceMs === null
    )
  }

  /** See `GroupCore.proposer`. */
  get proposer(): MemberId {
    return this.#candidates()[0]!.id
  }

  /** Requests a new view with the same members, if this member is the lowest. */
  refresh(): void {
    this.#refreshWanted = true
  }

  start(nowMs: number): void {
    this.#startedMs ??= nowMs
  }

  onInstalled(): void {
    this.#differsSinceMs = null
    this.#waiting = null
    this.#refreshWanted = false
    this.#context.seenEpoch(this.#context.view.epoch)
  }

  /** Proposes a view of these members only, if this one is the lowest of them. */
  proposeAmong(members: readonly MemberInstance["id"][], nowMs: number): void {
    const { id: self } = this.#context.config.self
    const candidates = this.#candidates().filter(({ id }) => id === self || members.includes(id))
    if (candidates[0]!.id === self && this.#coordinator.mayPropose(nowMs)) this.#propose(candidates, nowMs)
  }

  /** Memoized: read with every heartbeat, changes rarely. */
  #candidates(): readonly MemberInstance[] {
    const { config, neighbours, view } = this.#context
    const { id, members } = view
    const known = this.#known
    if (known?.view === id && known.version === neighbours.version) return known.candidates
    const { version } = neighbours
    const found = viewCandidates(config.self, members, neighbours, this.#membersMax)
    // Returns the identical array if the members are equal, so no caller compares them member by member again.
    const candidates = sameInstances(found, members) ? members : found
    this.#known = { view: id, version, candidates }
    return candidates
  }

  /** A PROPOSE names no more than `MEMBERS_MAX`. */
  get #membersMax(): number {
    return Math.min(this.#context.config.membersMax ?? MESH_MEMBERS_MAX, MEMBERS_MAX)
  }

  consider(nowMs: number): void {
    const { config } = this.#context
    const candidates = this.#candidates()
    this.#coordinator.onTick(nowMs, this.#participant.promised, candidates)
    const better = this.#wanted(candidates, nowMs)
    const lowest = candidates[0]!.id
    this.#wait(better ? lowest : null, candidates.length, nowMs)
    if (lowest !== config.self.id) {
      this.#wish = null
      return
    }
    if (!better && !this.#refreshWanted) {
      this.#wish = null
      return
    }
    if (!this.#wish || !sameInstances(this.#wish.members, candidates)) {
      this.#wish = { members: candidates, sinceMs: nowMs }
    }
    const patience = this.#onlyLosses(candidates) ? 0 : config.joinBatchMs
    if (nowMs - this.#wish.sinceMs < patience || !this.#coordinator.mayPropose(nowMs)) return
    this.#propose(candidates, nowMs)
  }

  #propose(candidates: readonly MemberInstance[], nowMs: number): void {
    // Blames members that show another view or a higher promise. Otherwise one could cause view changes without end by
    // showing that repeatedly. Members in the same state as this one are not blamed.
    if (this.#differsSinceMs !== null && sameInstances(candidates, this.#context.view.members)) {
      const { promised } = this.#participant
      for (const { id } of candidates.filter((member) => this.#isElsewhere(member, promised)))
        this.#context.blame(id, 1)
    }
    this.#wish = null
    this.#differsSinceMs = null
    this.#refreshWanted = false
    this.#epochProposed = this.#nextEpoch(candidates)
    this.#context.seenEpoch(this.#epochProposed)
    this.#coordinator.propose(this.#epochProposed, candidates, nowMs)
  }

  /**
   * An epoch above all that were heard of. It is bounded by the epochs that most of those asked show, beyond which they
   * would refuse it. Otherwise one member could raise it by repeatedly showing a high epoch to this member alone.
   */
  #nextEpoch(candidates: readonly MemberInstance[]): number {
    const { config, neighbours } = this.#context
    const others = candidates.filter(({ id }) => id !== config.self.id)
    const shown = others.map(({ id }) => neighbours.heartbeatOf(id)?.promised.epoch ?? 0).sort((a, b) => a - b)
    const usual = shown[Math.floor((shown.length - 1) / 2)] ?? 0
    const least = Math.max(usual, this.#epochProposed, this.#participant.promised.epoch)
    return Math.min(this.#context.epochSeen, least + EPOCH_JUMP_MAX / 2) + 1
  }

  /** `lowest`: the member that should propose. Null if no other view is wanted. */
  #wait(lowest: MemberId | null, members: number, nowMs: number): void {
    const { config, neighbours } = this.#context
    const patienceMs = PATIENCE_WITH_LOWEST * this.#context.proposalMs(members)
    const former = this.#waiting
    if (former?.lowest === lowest && nowMs - former.sinceMs < patienceMs) return
    this.#waiting = lowest === null || lowest === config.self.id ? null : { lowest, sinceMs: nowMs }
    if (!former) return
    // Blames also a member that leaves before the others lose patience. Otherwise it could return and make them wait
    // for ever.
    if (former.lowest === lowest) this.#context.blame(lowest, BLAME_MAX)
    else if (!neighbours.isUp(former.lowest))
      this.#context.blame(former.lowest, (BLAME_MAX * (nowMs - former.sinceMs)) / patienceMs)
  }

  #wanted(candidates: readonly MemberInstance[], nowMs: number): boolean {
    const { config, view } = this.#context
    if (this.#startedMs === null) return false
    const first = view.epoch === config.epochFloor
    if (first && candidates.length === 1) return nowMs - this.#startedMs >= config.aloneAfterMs
    if (first || !sameInstances(candidates, view.members)) return true
    return this.#coordinator.bereft || this.#someoneElsewhere(candidates, nowMs)
  }

  #onlyLosses(candidates: readonly MemberInstance[]): boolean {
    return candidates.every((member) => hasInstance(this.#context.view.members, member))
  }

  /** True if a member of this view shows another view, or a higher promise, for longer than an INSTALL takes. */
  #someoneElsewhere(candidates: readonly MemberInstance[], nowMs: number): boolean {
    const stuck = this.#participant.phase !== "sending" || this.#anyElsewhere(candidates)
    if (!stuck) this.#differsSinceMs = null
    else this.#differsSinceMs ??= nowMs
    const { heartbeatMs } = this.#context.config
    const proposalMs = this.#context.proposalMs(candidates.length)
    // A member shows its new view here a round trip after the INSTALL left. Over a slow network each view would
    // otherwise be replaced before it is seen, without end.
    const roundTripMs = Math.min(this.#coordinator.lastRunMs, proposalMs)
    const usualMs = Math.max(150, 3 * heartbeatMs) + roundTripMs
    const patienceMs = this.#isInstallUnderWay(candidates) ? Math.max(usualMs, proposalMs) : usualMs
    return this.#differsSinceMs !== null && nowMs - this.#differsSinceMs > patienceMs
  }

  /** All that show another view wait for the INSTALL of this one, which comes late after an outage and is repeated. */
  #isInstallUnderWay(candidates: readonly MemberInstance[]): boolean {
    if (this.#participant.phase !== "sending") return false
    const { view, neighbours } = this.#context
    const elsewhere = candidates.filter((member) => this.#isElsewhere(member))
    return elsewhere.every(({ id }) => compareProposals(neighbours.heartbeatOf(id)!.promised, view.proposal) === 0)
  }

  /** Memoized: read on every tick, changes rarely. */
  #anyElsewhere(candidates: readonly MemberInstance[]): boolean {
    const { view, neighbours } = this.#context
    const { standing } = neighbours
    const known = this.#elsewhere
    if (known?.view === view && known.candidates === candidates && known.standing === standing) return known.any
    const any = candidates.some((member) => this.#isElsewhere(member))
    this.#elsewhere = { view: view, candidates, standing, any }
    return any
  }
  #elsewhere: {
    readonly view: View
    readonly candidates: readonly MemberInstance[]
    readonly standing: number
    readonly any: boolean
  } | null = null

  /** True if a member shows another view than this one's, or a promise above `promised`. */
  #isElsewhere({ id }: MemberInstance, promised = this.#context.view.proposal): boolean {
    const heartbeat = this.#context.neighbours.heartbeatOf(id)
    const viewId = this.#context.view.id
    return heartbeat !== null && (heartbeat.view !== viewId || compareProposals(heartbeat.promised, promised) > 0)
  }
}
