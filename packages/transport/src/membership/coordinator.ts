/**
 * The proposer's part in a view change. It only collects and forwards. The participants check the outcome, so it cannot
 * lie about that.
 */
import type { CoreContext } from "./core-context.ts"
import { digestOfMembers, hasInstance, indexOfMember } from "../view/view.ts"
import type { MemberId } from "../members/ids.ts"
import { BLAME_MAX, MISHAP } from "../liveness/blame.ts"
import { compareProposals, type MemberInstance, type Nack, type ProposalId } from "../wire/messages.ts"
import { equalBytes } from "@noble/curves/utils.js"
import { claimantsBeyond, completeSyncs, computeCut, nothingMissing, withholding, type SyncFrame } from "./decision.ts"
import { beyondInstall } from "./sync-bounds.ts"

type Run = {
  readonly proposal: ProposalId
  readonly members: readonly MemberInstance[]
  readonly startedMs: number
  /** When the last answer came. */
  answeredMs: number
  sentMs: number
  /** How often this phase's message was retransmitted. */
  repeats: number
  phase: "gathering" | "cutting" | "installed"
  readonly syncs: Map<MemberId, SyncFrame>
  readonly acks: Set<MemberId>
  /** Since when members are missing of which the links of others say so, and not the own one. */
  missingSinceMs: number | null
}

/**
 * In units of `heartbeatMs`: how long a run outlives the report that two of its members have no link. After an outage
 * links come back one after another, and each member reports its own with its next heartbeat.
 */
const REPORTS_LAG = 3
/** Blame (liveness/blame.ts) for silence through a whole run. */
const SILENCE = 2.5
/**
 * Maximum duration of a run while answers still come, in units of `proposalMs`. Shorter than the others' patience with
 * the lowest member.
 */
const RUN_MAX = 3
/**
 * In units of `proposalMs`: how long all asked members may be silent before they are blamed. Until then it is likelier
 * that this member is not heard, or late. Longer than their patience with the lowest member: if they hear one another,
 * they exclude this one first.
 */
const UNHEARD_MAX = 7
/** The retransmission interval doubles each time, up to 2^3 times the first. */
const DOUBLINGS_MAX = 3

export class Coordinator {
  readonly #context: CoreContext
  #run: Run | null = null
  #failures = 0
  #notBeforeMs = 0
  /**
   * A run has ended since the last view because a member is gone. The others have flushed, so this member must start
   * another run.
   */
  #bereft = false
  /** The start of the first of the last runs, since the last view, that no other member answered. */
  #unheardSinceMs: number | null = null
  #lastRunMs = 0

  constructor(context: CoreContext) {
    this.#context = context
  }

  /** Until this member has installed the view itself. Its INSTALL is signed before that, which takes time. */
  get busy(): boolean {
    return this.#run !== null && !(this.#run.phase === "installed" && this.#isHere(this.#run))
  }

  #isHere({ proposal }: Run): boolean {
    return compareProposals(this.#context.view.proposal, proposal) >= 0
  }

  get bereft(): boolean {
    return this.#bereft && !this.busy
  }

  /**
   * Duration of the last run that led to a view, from its PROPOSE to its INSTALL; 0 before the first. It contains at
   * least one round trip to each member.
   */
  get lastRunMs(): number {
    return this.#lastRunMs
  }

  /** Messages on the member's former path may be lost, so the back-off begins anew. */
  linkUp(peer: MemberId): void {
    if (this.#run && indexOfMember(this.#run.members, peer) >= 0) this.#run.repeats = 0
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
      missingSinceMs: null,
    }
    this.#run = run
    this.#context.sign(
      members.map((member) => member.id),
      { kind: "propose", message: { proposal, members } },
    )
  }

  onNack(from: MemberId, nack: Nack, nowMs: number): void {
    const run = this.#runFor(nack.proposal)
    if (run?.phase !== "gathering" || indexOfMember(run.members, from) < 0) return
    this.#giveUp(nowMs)
    // A refusal with good reason becomes blame, since repeated refusals prevent a view. A member of another view may
    // refuse only to defend that view.
    const ofOurs = this.#context.neighbours.heartbeatOf(from)?.view === this.#context.view.id
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
    if (phase === "installed") this.#lastRunMs = nowMs - run.startedMs
    run.sentMs = nowMs
    run.repeats = 0
    this.#sendSyncs(run)
  }

  /** A higher promise ends a run: its participants have left it. */
  onTick(nowMs: number, promised: ProposalId, candidates: readonly MemberInstance[]): void {
    const run = this.#run
    if (!run) return
    if (run.phase === "installed" && this.#isHere(run)) return this.#repeatInstall(run, nowMs)
    if (compareProposals(promised, run.proposal) > 0) {
      this.#run = null
      return
    }
    if (run.phase === "installed") {
      if (this.#isStuck(run, nowMs)) this.#giveUp(nowMs)
      return
    }
    const lost = run.members.filter((member) => !hasInstance(candidates, member))
    if (this.#areLost(lost, run, nowMs)) {
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
    this.#context.sign(silent, { kind: "propose", message: { proposal: run.proposal, members: run.members } })
  }

  /** A member whose own link is down is lost at once, and one whose other links are reported down after a while. */
  #areLost(missing: readonly MemberInstance[], run: Run, nowMs: number): boolean {
    const { neighbours, config } = this.#context
    if (missing.length === 0) {
      run.missingSinceMs = null
      return false
    }
    run.missingSinceMs ??= nowMs
    return (
      missing.some(({ id }) => !neighbours.isUp(id)) || nowMs - run.missingSinceMs > REPORTS_LAG * config.heartbeatMs
    )
  }

  #blameObstructing(run: Run, nowMs: number): void {
    const isHeard = run.phase === "cutting" || this.#isAnswered(run)
    if (isHeard) this.#unheardSinceMs = null
    else if (nowMs - (this.#unheardSinceMs ??= run.startedMs) < UNHEARD_MAX * this.#proposalMs(run)) return
    for (const id of this.#obstructing(run)) this.#context.blame(id, isHeard ? SILENCE : BLAME_MAX)
  }

  /** Whether another member has answered. So this member is heard, and hears others. */
  #isAnswered(run: Run): boolean {
    const unanswered = this.#unanswered(run)
    return run.members.some(({ id }) => id !== this.#context.config.self.id && !unanswered.includes(id))
  }

  /**
   * Blames a member that leaves during a run. Otherwise a member that leaves just before it would be blamed, and
   * returns, could delay the others for ever. The wait counts only if another member has answered. If none has, this
   * member's own link may have been bad, and may be broken now.
   */
  #blameLost(id: MemberId, run: Run, nowMs: number): void {
    const { neighbours } = this.#context
    const counts = this.#isAnswered(run) && this.#unanswered(run).includes(id)
    const waited = counts ? Math.min(1, (nowMs - run.startedMs) / this.#proposalMs(run)) : 0
    // The member is still up here, so another member's list of links has changed. A flapping member could end every run
    // that way.
    this.#context.blame(id, Math.max(SILENCE * waited, neighbours.isUp(id) ? MISHAP : 0))
  }

  /** In a large conference answers take long. While they come, a new run gains nothing. */
  #isStuck(run: Run, nowMs: number): boolean {
    const proposalMs = this.#proposalMs(run)
    return nowMs - run.answeredMs > proposalMs || nowMs - run.startedMs > RUN_MAX * proposalMs
  }

  #proposalMs({ members }: Run): number {
    return this.#context.proposalMs(members.length)
  }

  /** See `GroupCore.nextTickMs`. After the INSTALL, it is repeated for members that seem to have missed it. */
  get nextTickMs(): number {
    if (!this.#run) return Infinity
    return this.busy ? -Infinity : this.#repeatAtMs(this.#run)
  }

  #repeatAtMs({ sentMs, repeats }: Run): number {
    return sentMs + this.#context.config.resendMs * 2 ** Math.min(repeats, DOUBLINGS_MAX)
  }

  /** True if unanswered messages are to be retransmitted now. */
  #mayRepeat(run: Run, nowMs: number): boolean {
    if (nowMs < this.#repeatAtMs(run)) return false
    run.sentMs = nowMs
    run.repeats++
    return true
  }

  /** The members that have prevented a run from completing. */
  #obstructing(run: Run): MemberId[] {
    if (run.phase === "gathering") return this.#unanswered(run)
    const { config, view, log } = this.#context
    const { id, members } = view
    // Frames not served to this member were not served to others either, which are not to blame for it.
    const ours = run.acks.has(config.self.id)
      ? []
      : claimantsBeyond(log.frames.received, computeCut(run.syncs, id, members))
    const holders = [...ours, ...withholding(run.syncs, run.acks, id)]
    return holders.length > 0 ? holders : this.#unanswered(run)
  }

  #unanswered({ phase, members, syncs, acks }: Run): MemberId[] {
    const answers = phase === "gathering" ? syncs : acks
    return members.map(({ id }) => id).filter((id) => !answers.has(id))
  }

  /** Repeats the INSTALL for members whose heartbeats still show their old view. */
  #repeatInstall(run: Run, nowMs: number): void {
    if (compareProposals(this.#context.view.proposal, run.proposal) > 0) {
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
    this.#context.sign(
      to.map((member) => member.id),
      { kind: run.phase === "installed" ? "install" : "cut", message },
    )
  }

  /** Exponential back-off, spread by epoch and id so that two proposers do not collide each time. */
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
}
