/**
 * Consensus by rotating coordinator: Chandra and Toueg, "Unreliable failure detectors for reliable distributed
 * systems", as in section 2.2 of the SecChat thesis. Fault model: a minority crashes. Safety holds with any failure
 * detector; termination needs ◇S.
 *
 * Divergences:
 * - Initial estimates carry timestamp 0, not 1. With 1, a stale one ties with one adopted in round 1, and two values
 *   can be decided.
 * - No message is buffered for a later round: a message of a later round moves its receiver there. A coordinator
 *   calls all members to its round, and a member answers a message of an earlier round with its own round. So a lost
 *   message costs at most one round, memory does not grow with rounds, and a late member skips old rounds. To the
 *   members of a round, a member that leaves it early is a reply that never comes. Safety needs only that a member's
 *   rounds never decrease.
 * - A member that has acked stays in its round until the coordinator is suspected or a call arrives. If it continued
 *   at once, it would send every estimate again, for nothing when the round decides.
 * - A member that never proposed may adopt and ack: an adopted estimate was proposed by some member.
 * - DECIDE is relayed as a digest; a member without the value requests it.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { equalBytes } from "../shared/bytes.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { FailureDetector } from "./failure-detector.ts"
import { type Estimate, Lead } from "./lead.ts"
import type { ConsensusMessage } from "./messages.ts"

/** How far one message can move a member's round: beyond is a lie, since rounds pass only by suspicion. */
export const ROUNDS_AHEAD_MAX = 1 << 20
/** Up to here. Beyond, a message moves a member by no more than honest ones do, so that rounds stay below 2^32. */
const ROUND_OF_LEAPS_MAX = 2 ** 31

export type ConsensusOptions = {
  /** In the same order everywhere; coordinators rotate in it. */
  readonly members: readonly MemberId[]
  readonly self: MemberId
  /** Whether this value may be decided. Checked before adopting another member's value. */
  readonly check: (value: Uint8Array) => boolean
  readonly detector: Pick<FailureDetector, "isSuspected">
  /**
   * False for a member that may have taken part before and lost its state: having forgotten what it acked, it would break
   * agreement. It only learns the decision, and counts among the crashed.
   */
  readonly takesPart: boolean
}

export type ConsensusInput =
  | { readonly type: "propose"; readonly value: Uint8Array }
  | { readonly type: "message"; readonly from: MemberId; readonly message: ConsensusMessage }
  /** The detector's suspicions may have changed. */
  | { readonly type: "suspicions" }
  /** This peer may have missed what was sent to it. */
  | { readonly type: "resend"; readonly to: MemberId }
  /** Ask the next of those that announced a decision for its value. */
  | { readonly type: "ask" }

/** `decide`: at most once. `invalid-value`: refused by `check`. `impossible`: no correct member sends this. */
export type ConsensusOutput =
  | { readonly type: "send"; readonly to: MemberId; readonly message: ConsensusMessage }
  | { readonly type: "multicast"; readonly message: ConsensusMessage }
  | { readonly type: "decide"; readonly value: Uint8Array }
  | { readonly type: "fault"; readonly member: MemberId; readonly reason: "invalid-value" | "impossible" }

/** ⌈(n+1)/2⌉: any two such sets meet. */
export function majorityOf(memberCount: number): number {
  return Math.floor(memberCount / 2) + 1
}

export function digestOf(value: Uint8Array): Uint8Array {
  return sha256(value)
}

/** One member's side of one instance. The decision is its tombstone: a decided instance answers with it, and never runs again. */
export class Consensus {
  readonly #options: ConsensusOptions
  readonly #majority: number
  /** 0: not in a round yet. Never goes back. */
  #round = 0
  #estimate: Estimate | null = null
  #acked = false
  /**
   * Outlives its round, for acks that are still in flight: t of them have locked the value, whatever round their
   * senders are in.
   */
  #lead: Lead | null = null
  #decision: { readonly value: Uint8Array; readonly digest: Uint8Array } | null = null
  /**
   * Members that have decided, in the order in which they are asked: first the earliest announcer, which has the most.
   * Members already asked are last. One entry for each member.
   */
  readonly #announcers: MemberId[] = []
  readonly #askedBefore: MemberId[] = []
  #asked = false
  readonly #outputs: ConsensusOutput[] = []

  constructor(options: ConsensusOptions) {
    this.#options = options
    this.#majority = majorityOf(options.members.length)
  }

  get decision(): Uint8Array | null {
    return this.#decision?.value ?? null
  }

  /** In a round and not decided: the others watch whether this member is alive. */
  get isRunning(): boolean {
    return this.#round > 0 && !this.#decision
  }

  /** Another member has decided, and this one has not. */
  get isAsking(): boolean {
    return this.#asked && !this.#decision
  }

  get hasEstimate(): boolean {
    return this.#estimate !== null
  }

  step(input: ConsensusInput): readonly ConsensusOutput[] {
    if (input.type === "propose") this.#stepPropose(input.value)
    else if (input.type === "message") this.#stepMessage(input.from, input.message)
    else if (input.type === "suspicions") this.#stepSuspicions()
    else if (input.type === "resend") this.#stepResend(input.to)
    else this.#stepAsk()
    return this.#outputs.splice(0)
  }

  #stepPropose(value: Uint8Array): void {
    if (this.#decision || this.#estimate || !this.#options.takesPart) return
    this.#estimate = { value, stamp: 0 }
    if (this.#round === 0) this.#becomeInRound(1)
    else this.#giveEstimate()
  }

  #stepMessage(from: MemberId, message: ConsensusMessage): void {
    if (message.kind === "alive") return
    if (message.kind === "want") return this.#handleWant(from)
    if (message.kind === "decided") return this.#handleDecided(from, message.digest)
    if (message.kind === "decision") return this.#handleDecision(from, message.value)
    if (!this.#options.takesPart) return
    if (message.kind === "reply") return this.#handleReply(from, message.round, message.ack)
    if (this.#decision) return this.#send(from, { kind: "decided", digest: this.#decision.digest })
    if (!this.#isPossible(from, message)) return this.#fault(from, "impossible")
    if (message.round > this.#round) this.#becomeInRound(message.round)
    if (message.round < this.#round) return this.#send(from, { kind: "call", round: this.#round })
    if (message.kind === "estimate") {
      this.#lead!.addEstimate(from, message)
      this.#proposeIfMajority()
    }
    if (message.kind === "propose") this.#handleProposal(from, message.value)
  }

  #isPossible(from: MemberId, message: ConsensusMessage & { kind: "estimate" | "propose" | "call" }): boolean {
    const leap = message.round > ROUND_OF_LEAPS_MAX ? this.#options.members.length : ROUNDS_AHEAD_MAX
    if (message.round > this.#round + leap) return false
    const coordinator = this.#coordinatorOf(message.round)
    if (message.kind === "estimate") return coordinator === this.#options.self && message.stamp < message.round
    return message.kind === "call" || coordinator === from
  }

  // --- rounds --------------------------------------------------------------------------------------------------------

  /** The thesis: c = (r mod n) + 1, its members counting from 1. */
  #coordinatorOf(round: number): MemberId {
    const { members } = this.#options
    return members[round % members.length]!
  }

  #becomeInRound(first: number): void {
    const { self, detector } = this.#options
    // No member suspects itself, so this ends. Skipping a suspect silently counts as a nack.
    let round = first
    while (this.#coordinatorOf(round) !== self && detector.isSuspected(this.#coordinatorOf(round))) round++
    this.#round = round
    this.#acked = false
    const isCoordinator = this.#coordinatorOf(round) === self
    if (isCoordinator) this.#lead = new Lead(round, this.#majority)
    // Those that skipped no round wait elsewhere, for coordinators that are alive, and would wait for good.
    if (isCoordinator && round > 1) this.#multicast({ kind: "call", round })
    this.#giveEstimate()
  }

  #stepSuspicions(): void {
    if (!this.isRunning) return
    const coordinator = this.#coordinatorOf(this.#round)
    if (coordinator === this.#options.self || !this.#options.detector.isSuspected(coordinator)) return
    if (!this.#acked) this.#send(coordinator, { kind: "reply", round: this.#round, ack: false })
    this.#becomeInRound(this.#round + 1)
  }

  // --- phase 1 and 2: estimates to the coordinator, its proposal to all ------------------------------------------------

  #giveEstimate(): void {
    if (!this.#estimate || this.#acked) return
    const coordinator = this.#coordinatorOf(this.#round)
    if (coordinator !== this.#options.self) {
      return this.#send(coordinator, { kind: "estimate", round: this.#round, ...this.#estimate })
    }
    this.#lead!.addEstimate(coordinator, this.#estimate)
    this.#proposeIfMajority()
  }

  #proposeIfMajority(): void {
    const { self, check } = this.#options
    const lead = this.#lead!
    if (lead.proposal) return
    for (const liar of lead.propose(self, check)) this.#fault(liar, "invalid-value")
    if (!lead.proposal) return
    this.#multicast({ kind: "propose", round: lead.round, value: lead.proposal })
    this.#adopt(lead.proposal)
    this.#countAck(lead, self)
  }

  // --- phase 3 and 4: replies ------------------------------------------------------------------------------------------

  #handleProposal(from: MemberId, value: Uint8Array): void {
    const round = this.#round
    if (this.#acked && !equalBytes(value, this.#estimate!.value)) return this.#fault(from, "impossible")
    if (!this.#acked && !this.#options.check(value)) {
      this.#fault(from, "invalid-value")
      this.#send(from, { kind: "reply", round, ack: false })
      return this.#becomeInRound(round + 1)
    }
    if (!this.#acked) this.#adopt(value)
    this.#send(from, { kind: "reply", round, ack: true })
  }

  /** The only place where a timestamp changes. */
  #adopt(value: Uint8Array): void {
    this.#estimate = { value, stamp: this.#round }
    this.#acked = true
  }

  #handleReply(from: MemberId, round: number, ack: boolean): void {
    const lead = this.#lead
    if (this.#decision || lead?.round !== round || !lead.proposal) return
    if (ack) return this.#countAck(lead, from)
    // One nack among the first t replies and the round is lost, however many acks follow.
    this.#lead = null
    if (this.#round === round) this.#becomeInRound(round + 1)
  }

  #countAck(lead: Lead, from: MemberId): void {
    if (lead.addAck(from)) this.#decide(lead.proposal!)
  }

  // --- the decision ------------------------------------------------------------------------------------------------------

  #decide(value: Uint8Array): void {
    this.#decision = { value, digest: digestOf(value) }
    this.#lead = null
    this.#estimate = null
    // Relayed before it is delivered: no member acts on a decision that the others may never learn.
    this.#multicast({ kind: "decided", digest: this.#decision.digest })
    this.#outputs.push({ type: "decide", value })
  }

  #handleDecided(from: MemberId, digest: Uint8Array): void {
    if (!this.#announcers.includes(from) && !this.#askedBefore.includes(from)) this.#announcers.push(from)
    if (this.#decision) return
    const held = this.#estimate?.value
    if (held && equalBytes(digestOf(held), digest)) this.#decide(held)
    else if (!this.#asked) this.#stepAsk()
  }

  #stepAsk(): void {
    const next = this.#announcers.shift() ?? this.#askedBefore.shift()
    if (next === undefined) return
    this.#askedBefore.push(next)
    this.#asked = true
    this.#send(next, { kind: "want" })
  }

  #handleWant(from: MemberId): void {
    if (this.#decision) this.#send(from, { kind: "decision", value: this.#decision.value })
  }

  #handleDecision(from: MemberId, value: Uint8Array): void {
    if (this.#decision) return
    if (this.#options.check(value)) return this.#decide(value)
    this.#fault(from, "invalid-value")
    this.#stepAsk()
  }

  // --- links come back -----------------------------------------------------------------------------------------------------

  /** Made from the present state, not from a log: what an earlier round lost is not missed. */
  #stepResend(to: MemberId): void {
    if (this.#decision) return this.#send(to, { kind: "decided", digest: this.#decision.digest })
    if (!this.isRunning) return
    const round = this.#round
    const coordinator = this.#coordinatorOf(round)
    const proposal = coordinator === this.#options.self ? this.#lead?.proposal : null
    if (proposal) this.#send(to, { kind: "propose", round, value: proposal })
    // A member that has acked gets the proposal again if the coordinator lacks the ack, and acks again.
    else if (coordinator === to) this.#giveEstimate()
    else this.#send(to, { kind: "call", round })
  }

  // --- outputs ---------------------------------------------------------------------------------------------------------------

  #send(to: MemberId, message: ConsensusMessage): void {
    this.#outputs.push({ type: "send", to, message })
  }

  #multicast(message: ConsensusMessage): void {
    this.#outputs.push({ type: "multicast", message })
  }

  #fault(member: MemberId, reason: "invalid-value" | "impossible"): void {
    this.#outputs.push({ type: "fault", member, reason })
  }
}
