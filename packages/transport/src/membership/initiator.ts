/**
 * When this member starts a view change: it is the lowest of those who could form a better view than the present one,
 * and the wish has stood long enough for others to join in.
 */
import { MESH_MEMBERS_MAX, type CoreContext } from "../group/types.ts"
import { hasInstance, sameInstances, type View } from "../group/view.ts"
import { BLAME_MAX, PATIENCE_WITH_LOWEST } from "../liveness/blame.ts"
import type { MemberId } from "../ids.ts"
import { compareProposals, type MemberInstance } from "../wire/messages.ts"
import { viewCandidates } from "./candidates.ts"
import type { Coordinator } from "./coordinator.ts"
import { EPOCH_JUMP_MAX, type Participant } from "./participant.ts"

export class Initiator {
  readonly #context: CoreContext
  readonly #coordinator: Coordinator
  readonly #participant: Participant
  #startedMs: number | null = null
  #epochSeen: number
  /** The last that it has proposed itself. */
  #epochProposed = 0
  #wish: { readonly members: readonly MemberInstance[]; readonly sinceMs: number } | null = null
  #differsSinceMs: number | null = null
  /** Another view is wanted, and it is for the lowest to propose it. */
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
    this.#epochSeen = context.config.epochFloor
  }

  /** A new view with the same members, if this is the lowest of them. */
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
    this.seenEpoch(this.#context.view().epoch)
  }

  /** Highest epoch heard of, so that the next own proposal is above it. */
  get epochSeen(): number {
    return this.#epochSeen
  }

  seenEpoch(epoch: number): void {
    this.#epochSeen = Math.max(this.#epochSeen, epoch)
  }

  /** A view of these members only, if this one is the lowest of them. */
  proposeAmong(members: readonly MemberInstance["id"][], nowMs: number): void {
    const { id: self } = this.#context.config.self
    const candidates = this.#candidates().filter(({ id }) => id === self || members.includes(id))
    if (candidates[0]!.id === self && this.#coordinator.mayPropose(nowMs)) this.#propose(candidates, nowMs)
  }

  /** Asked for with every heartbeat, and seldom new. */
  #candidates(): readonly MemberInstance[] {
    const { config, neighbours, view } = this.#context
    const { id, members } = view()
    const known = this.#known
    if (known?.view === id && known.version === neighbours.version) return known.candidates
    const { version } = neighbours
    const found = viewCandidates(config.self, members, neighbours, config.membersMax ?? MESH_MEMBERS_MAX)
    // The same list where it is the same: then nobody compares them member by member again.
    const candidates = sameInstances(found, members) ? members : found
    this.#known = { view: id, version, candidates }
    return candidates
  }

  consider(nowMs: number): void {
    const { config } = this.#context
    const candidates = this.#candidates()
    this.#coordinator.onTick(nowMs, this.#participant.promised, candidates)
    const better = this.#wanted(candidates, nowMs)
    const lowest = candidates[0]!.id
    this.#wait(better ? lowest : null, nowMs)
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
    // Who says again and again that it is elsewhere could make the others change views without end; not so who is where this member is.
    if (this.#differsSinceMs !== null && sameInstances(candidates, this.#context.view().members)) {
      const { promised } = this.#participant
      for (const { id } of candidates.filter((member) => this.#isElsewhere(member, promised)))
        this.#context.blame(id, 1)
    }
    this.#wish = null
    this.#differsSinceMs = null
    this.#refreshWanted = false
    this.#epochProposed = this.#nextEpoch(candidates)
    this.seenEpoch(this.#epochProposed)
    this.#coordinator.propose(this.#epochProposed, candidates, nowMs)
  }

  /**
   * Above all that was heard of; but not so far above what most of those asked show that they would refuse it, though one of
   * them may say to this member alone that it is further, again and again.
   */
  #nextEpoch(candidates: readonly MemberInstance[]): number {
    const { config, neighbours } = this.#context
    const others = candidates.filter(({ id }) => id !== config.self.id)
    const shown = others.map(({ id }) => neighbours.heartbeatOf(id)?.promised.epoch ?? 0).sort((a, b) => a - b)
    const usual = shown[Math.floor((shown.length - 1) / 2)] ?? 0
    const least = Math.max(usual, this.#epochProposed, this.#participant.promised.epoch)
    return Math.min(this.#epochSeen, least + EPOCH_JUMP_MAX / 2) + 1
  }

  /** `lowest`: who is waited for; null if no other view is wanted. */
  #wait(lowest: MemberId | null, nowMs: number): void {
    const { config, neighbours, blame } = this.#context
    const patienceMs = PATIENCE_WITH_LOWEST * config.proposalMs
    const former = this.#waiting
    if (former?.lowest === lowest && nowMs - former.sinceMs < patienceMs) return
    this.#waiting = lowest === null || lowest === config.self.id ? null : { lowest, sinceMs: nowMs }
    if (!former) return
    // Who goes before the others have lost their patience, and comes again, could have them wait for ever: it counts, too.
    if (former.lowest === lowest) blame(lowest, BLAME_MAX)
    else if (!neighbours.isUp(former.lowest)) blame(former.lowest, (BLAME_MAX * (nowMs - former.sinceMs)) / patienceMs)
  }

  #wanted(candidates: readonly MemberInstance[], nowMs: number): boolean {
    const { config, view } = this.#context
    if (this.#startedMs === null) return false
    const first = view().epoch === config.epochFloor
    if (first && candidates.length === 1) return nowMs - this.#startedMs >= config.aloneAfterMs
    if (first || !sameInstances(candidates, view().members)) return true
    return this.#coordinator.bereft || this.#someoneElsewhere(candidates, nowMs)
  }

  #onlyLosses(candidates: readonly MemberInstance[]): boolean {
    return candidates.every((member) => hasInstance(this.#context.view().members, member))
  }

  /** A member of this view that shows another one, or a higher promise, for longer than an INSTALL takes. */
  #someoneElsewhere(candidates: readonly MemberInstance[], nowMs: number): boolean {
    const stuck = this.#participant.changing || this.#anyElsewhere(candidates)
    if (!stuck) this.#differsSinceMs = null
    else this.#differsSinceMs ??= nowMs
    const patienceMs = Math.max(150, 3 * this.#context.config.heartbeatMs)
    return this.#differsSinceMs !== null && nowMs - this.#differsSinceMs > patienceMs
  }

  /** Looked at with every tick, and seldom new. */
  #anyElsewhere(candidates: readonly MemberInstance[]): boolean {
    const { view, neighbours } = this.#context
    const { standing } = neighbours
    const known = this.#elsewhere
    if (known?.view === view() && known.candidates === candidates && known.standing === standing) return known.any
    const any = candidates.some((member) => this.#isElsewhere(member))
    this.#elsewhere = { view: view(), candidates, standing, any }
    return any
  }
  #elsewhere: {
    readonly view: View
    readonly candidates: readonly MemberInstance[]
    readonly standing: number
    readonly any: boolean
  } | null = null

  /** In another view than this member, or beyond this promise. */
  #isElsewhere({ id }: MemberInstance, promised = this.#context.view().proposal): boolean {
    const heartbeat = this.#context.neighbours.heartbeatOf(id)
    const viewId = this.#context.view().id
    return heartbeat !== null && (heartbeat.view !== viewId || compareProposals(heartbeat.promised, promised) > 0)
  }
}
