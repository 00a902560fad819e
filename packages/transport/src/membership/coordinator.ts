/**
 * The proposer's part in a view change. It only collects and passes on: that it cannot lie about the outcome is the
 * participants' doing.
 */
import type { CoreContext } from "../group/types.ts"
import { digestOfMembers, hasInstance, indexOfMember } from "../group/view.ts"
import type { MemberId } from "../ids.ts"
import { BLAME_MAX, MISHAP } from "../liveness/blame.ts"
import type { FramePayload } from "../wire/frame.ts"
import { compareProposals, type MemberInstance, type Nack, type ProposalId } from "../wire/messages.ts"
import { equalBytes } from "@noble/curves/utils.js"
import { claimantsBeyond, completeSyncs, computeCut, nothingMissing, soleHolders, type SyncFrame } from "./decision.ts"
import { beyondInstall } from "./sync-bounds.ts"

type Run = {
  readonly proposal: ProposalId
  readonly members: readonly MemberInstance[]
  readonly startedMs: number
  /** When somebody answered last. */
  answeredMs: number
  sentMs: number
  /** How often this phase's message was sent again. */
  repeats: number
  phase: "gathering" | "cutting" | "installed"
  readonly syncs: Map<MemberId, SyncFrame>
  readonly acks: Set<MemberId>
}

/** Blame (liveness/blame.ts) for silence through a whole run. */
const SILENCE = 2.5
/** Times `proposalMs`: so long a run lasts at most while answers still come. Shorter than the others' patience with the lowest. */
const RUN_MAX = 3
/**
 * Times `proposalMs`: so long all who are asked may be silent before they are blamed, as it is likelier that this member is not
 * heard, or late. Longer than their patience with the lowest: if they hear one another, they leave it out first.
 */
const UNHEARD_MAX = 7
/** What is sent again goes after twice the time each time, up to 2^3 times the first. */
const DOUBLINGS_MAX = 3

export class Coordinator {
  readonly #context: CoreContext
  #run: Run | null = null
  #failures = 0
  #notBeforeMs = 0
  /** A run has ended since the last view because somebody is gone: the others have stopped sending, and it is for this member to go on. */
  #bereft = false
  /** The start of the first of the last runs, since the last view, that nobody else answered. */
  #unheardSinceMs: number | null = null

  constructor(context: CoreContext) {
    this.#context = context
  }

  get busy(): boolean {
    return this.#run !== null && this.#run.phase !== "installed"
  }

  get bereft(): boolean {
    return this.#bereft && !this.busy
  }

  mayPropose(nowMs: number): boolean {
    return !this.busy && nowMs >= this.#notBeforeMs
  }

  propose(epoch: number, members: readonly MemberInstance[], nowMs: number): void {
    const proposal = { epoch, coordinator: this.#context.config.self.id }
    const run: Run = {
      proposal,
      members,
      startedMs: nowMs,
      answeredMs: nowMs,
      sentMs: nowMs,
      repeats: 0,
      phase: "gathering",
      syncs: new Map(),
      acks: new Set(),
    }
    this.#run = run
    this.#send(
      members.map((member) => member.id),
      { kind: "propose", message: { proposal, members } },
    )
  }

  onNack(from: MemberId, nack: Nack, nowMs: number): void {
    const run = this.#runFor(nack.proposal)
    if (run?.phase !== "gathering" || indexOfMember(run.members, from) < 0) return
    this.#giveUp(nowMs)
    // Once it has its reasons; again and again it keeps everybody from a view. Who is in another view may only defend that.
    const ofOurs = this.#context.neighbours.heartbeatOf(from)?.view === this.#context.view().id
    this.#context.blame(from, (ofOurs ? MISHAP : MISHAP / 4) * this.#failures)
  }

  onSync(frame: SyncFrame, nowMs: number): void {
    const run = this.#runFor(frame.message.proposal)
    const instance = run?.members[indexOfMember(run.members, frame.origin)]
    if (!run || run.phase !== "gathering" || instance?.incarnation !== frame.message.incarnation) return
    if (!equalBytes(frame.message.membersDigest, digestOfMembers(run.members))) return
    const earlier = run.syncs.get(frame.origin)
    if (earlier && !equalBytes(earlier.staticPart, frame.staticPart)) {
      return this.#context.emit({ type: "fault", member: frame.origin, reason: "conflicting-sync" })
    }
    if (!earlier) run.answeredMs = nowMs
    run.syncs.set(frame.origin, frame)
    if (run.syncs.size < run.members.length) return
    const oversized = beyondInstall(run.syncs, this.#context.config.self.id)
    if (oversized.length > 0) {
      for (const id of oversized) this.#context.blame(id, BLAME_MAX)
      return this.#giveUp(nowMs)
    }
    if (!completeSyncs(run.proposal, run.members, [...run.syncs.values()])) return
    this.#enter(run, nothingMissing(run.syncs) ? "installed" : "cutting", nowMs)
  }

  onAckCut(from: MemberId, proposal: ProposalId, nowMs: number): void {
    const run = this.#runFor(proposal)
    if (run?.phase !== "cutting") return
    if (!run.acks.has(from)) run.answeredMs = nowMs
    run.acks.add(from)
    if (!run.members.every((member) => run.acks.has(member.id))) return
    this.#enter(run, "installed", nowMs)
  }

  #enter(run: Run, phase: Run["phase"], nowMs: number): void {
    run.phase = phase
    run.sentMs = nowMs
    run.repeats = 0
    this.#sendSyncs(run)
  }

  /** A higher promise ends a run: its participants have left it. */
  onTick(nowMs: number, promised: ProposalId, candidates: readonly MemberInstance[]): void {
    const run = this.#run
    if (!run) return
    if (run.phase === "installed") return this.#repeatInstall(run, nowMs)
    if (compareProposals(promised, run.proposal) > 0) {
      this.#run = null
      return
    }
    const lost = run.members.filter((member) => !hasInstance(candidates, member))
    if (lost.length > 0) {
      for (const { id } of lost) this.#blameLost(id, run, nowMs)
      return this.#giveUp(nowMs, true)
    }
    if (this.#isStuck(run, nowMs)) {
      this.#blameObstructing(run, nowMs)
      return this.#giveUp(nowMs)
    }
    if (!this.#mayRepeat(run, nowMs)) return
    if (run.phase === "cutting") return this.#sendSyncs(run)
    const silent = run.members.map((member) => member.id).filter((id) => !run.syncs.has(id))
    this.#send(silent, { kind: "propose", message: { proposal: run.proposal, members: run.members } })
  }

  #blameObstructing(run: Run, nowMs: number): void {
    const isHeard = run.phase === "cutting" || this.#isAnswered(run)
    if (isHeard) this.#unheardSinceMs = null
    else if (nowMs - (this.#unheardSinceMs ??= run.startedMs) < UNHEARD_MAX * this.#context.config.proposalMs) return
    for (const id of this.#obstructing(run)) this.#context.blame(id, isHeard ? SILENCE : BLAME_MAX)
  }

  /** By anybody else: so this member is heard, and hears. */
  #isAnswered(run: Run): boolean {
    const unanswered = this.#unanswered(run)
    return run.members.some(({ id }) => id !== this.#context.config.self.id && !unanswered.includes(id))
  }

  /**
   * Who goes just before it would be blamed, and comes again, could keep everybody waiting for ever: the wait counts, where
   * somebody else has answered. Or else it may be this member's own link that was bad, and is broken now.
   */
  #blameLost(id: MemberId, run: Run, nowMs: number): void {
    const { neighbours, config, blame } = this.#context
    const counts = this.#isAnswered(run) && this.#unanswered(run).includes(id)
    const waited = counts ? Math.min(1, (nowMs - run.startedMs) / config.proposalMs) : 0
    // Still up here, so it is what somebody says of its links that has changed: who flaps could end every run.
    blame(id, Math.max(SILENCE * waited, neighbours.isUp(id) ? MISHAP : 0))
  }

  /** Of many the answers of some take long: while they come, nothing is gained by starting anew. */
  #isStuck({ startedMs, answeredMs }: Run, nowMs: number): boolean {
    const { proposalMs } = this.#context.config
    return nowMs - answeredMs > proposalMs || nowMs - startedMs > RUN_MAX * proposalMs
  }

  /** True if what was not answered is to be sent again now. */
  #mayRepeat(run: Run, nowMs: number): boolean {
    if (nowMs - run.sentMs < this.#context.config.resendMs * 2 ** Math.min(run.repeats, DOUBLINGS_MAX)) return false
    run.sentMs = nowMs
    run.repeats++
    return true
  }

  /** Who has kept a run from its end. */
  #obstructing(run: Run): MemberId[] {
    if (run.phase === "gathering") return this.#unanswered(run)
    const { config, view, log } = this.#context
    const holders = soleHolders(run.syncs).filter((id) => id !== config.self.id)
    if (holders.length > 0) return holders
    // Several can claim the same. What was not served to this member was not to others either, who are not to blame for it.
    const { id, members } = view()
    const claimants = run.acks.has(config.self.id)
      ? []
      : claimantsBeyond(log().received, computeCut(run.syncs, id, members))
    return claimants.length > 0 ? claimants : this.#unanswered(run)
  }

  #unanswered({ phase, members, syncs, acks }: Run): MemberId[] {
    const answers = phase === "gathering" ? syncs : acks
    return members.map(({ id }) => id).filter((id) => !answers.has(id))
  }

  /** Members that have not installed yet show their old view in their heartbeats. */
  #repeatInstall(run: Run, nowMs: number): void {
    if (compareProposals(this.#context.view().proposal, run.proposal) > 0) {
      this.#run = null
      return
    }
    if (!this.#mayRepeat(run, nowMs)) return
    const behind = run.members.filter(({ id, incarnation }) => {
      const heartbeat = this.#context.neighbours.heartbeatOf(id)
      if (!heartbeat || heartbeat.incarnation !== incarnation) return false
      return heartbeat.epoch < run.proposal.epoch && compareProposals(heartbeat.promised, run.proposal) <= 0
    })
    if (behind.length > 0) this.#sendSyncs(run, behind)
  }

  #sendSyncs(run: Run, to: readonly MemberInstance[] = run.members): void {
    const message = { proposal: run.proposal, syncs: [...run.syncs.values()].map((frame) => frame.bytes) }
    this.#send(
      to.map((member) => member.id),
      { kind: run.phase === "installed" ? "install" : "cut", message },
    )
  }

  /** Exponential back-off, spread by epoch and id so that two proposers do not keep step. */
  #giveUp(nowMs: number, memberLost = false): void {
    const run = this.#run!
    this.#run = null
    this.#bereft = memberLost
    this.#failures = memberLost ? 0 : Math.min(this.#failures + 1, 6)
    const spread = (run.proposal.epoch * 31 + Number.parseInt(run.proposal.coordinator.slice(0, 4), 16)) % 64
    this.#notBeforeMs = memberLost ? nowMs : nowMs + spread + 10 * 2 ** this.#failures
  }

  onInstalled(): void {
    this.#bereft = false
    this.#failures = 0
    this.#unheardSinceMs = null
  }

  #runFor(proposal: ProposalId): Run | null {
    return this.#run && compareProposals(this.#run.proposal, proposal) === 0 ? this.#run : null
  }

  #send(to: readonly MemberId[], payload: FramePayload): void {
    if (to.length > 0) this.#context.emit({ type: "sign", to, view: this.#context.view().id, payload })
  }
}
