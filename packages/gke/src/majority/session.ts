import { Consensus, type ConsensusInput, type ConsensusOutput, majorityOf } from "../consensus/consensus.ts"
import { FailureDetector } from "../consensus/failure-detector.ts"
import type { ConsensusMessage } from "../consensus/messages.ts"
import { equalBytes } from "../shared/bytes.ts"
import { unreachable } from "../shared/errors.ts"
import type { KeyStructure } from "../agreement/key-agreement.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { Offer, Payload, Proposal, SealedShare, Statement } from "./majority-codec.ts"
import { Interval, ASK_MS, HEARTBEAT_MS, RETURNS_MAX } from "./majority-limits.ts"
import { type Contribution, isProposal, knownOf, proposalOf, secretOf, transcriptOf } from "./proposal.ts"
import { Shares, type SharesOptions } from "./shares.ts"
import { type MajorityOutput, Statements } from "./statements.ts"

/**
 * agreeing: contributions are collected, and a set of owners agreed on. decided: a set is, but this member has no y of
 * it and requests one. finished: the secret is out; `kept` serves late members.
 */
type Phase =
  | { readonly name: "agreeing" }
  | { readonly name: "decided"; readonly value: Uint8Array; readonly proposal: Proposal }
  | { readonly name: "finished"; readonly kept: Contribution; readonly owners: ReadonlySet<number> }

/** One session at one member, from its offer to its secret. */
export class Session {
  readonly #options: SharesOptions
  readonly #statements: Statements
  readonly #shares: Shares
  readonly #consensus: Consensus
  readonly #detector = new FailureDetector()
  readonly #majority: number
  /** Those that lost their state in this session, and how often: they take no part in consensus. */
  readonly #returned = new Map<MemberId, number>()
  /** To be introduced to as soon as this member's offer has come back signed. */
  readonly #waiting = new Set<number>()
  /** Have asked this member for a y while it had none itself: they get one as soon as it has. */
  readonly #wanting = new Set<number>()
  /** The last value that passed the check, which costs t exponentiations: the same one comes more than once. */
  #checked: Uint8Array | null = null
  #phase: Phase = { name: "agreeing" }
  readonly #heartbeats = new Interval(HEARTBEAT_MS)
  readonly #asking = new Interval(ASK_MS)

  constructor(options: SharesOptions) {
    const { roster, self, contributes } = options
    this.#options = options
    this.#statements = new Statements(options)
    this.#majority = majorityOf(roster.length)
    this.#shares = new Shares(options)
    this.#consensus = new Consensus({
      members: roster,
      self: roster[self]!,
      check: (value) => this.#isValid(value),
      detector: this.#detector,
      takesPart: contributes,
    })
  }

  get isFinished(): boolean {
    return this.#phase.name === "finished"
  }

  /** Whose contributions the secret is made of; null before there is one. */
  quorum(): KeyStructure | null {
    if (this.#phase.name !== "finished") return null
    const { owners } = this.#phase
    return { kind: "quorum", seats: this.#options.roster.map((member, i) => ({ member, isNew: owners.has(i) })) }
  }

  erase(): void {
    this.#shares.erase()
  }

  /** `nowMs`: of the last tick, if there was one. */
  start(nowMs: number | null): readonly MajorityOutput[] {
    if (nowMs !== null) this.#detector.tick(nowMs)
    const { own, key } = this.#shares
    this.#statements.multicast(own ? { kind: "offer", share: own.share, key } : { kind: "return", key })
    return this.#statements.flush()
  }

  receive({ from, to, payload }: Statement, signature: Uint8Array): readonly MajorityOutput[] {
    const sender = this.#options.roster.indexOf(from)
    if (sender === this.#options.self) this.#receiveOwn(payload, signature)
    else {
      this.#detector.heard(from)
      this.#receivePeers(sender, to, payload, signature)
    }
    return this.#statements.flush()
  }

  resend(to: MemberId): readonly MajorityOutput[] {
    const peer = this.#options.roster.indexOf(to)
    if (peer >= 0 && peer !== this.#options.self) this.#introduce(peer)
    return this.#statements.flush()
  }

  #receivePeers(sender: number, to: MemberId | null, payload: Payload, signature: Uint8Array): void {
    switch (payload.kind) {
      case "offer":
        if (to !== null) return this.#statements.fault(sender, "unexpected-message")
        return this.#learnOffer(sender, { share: payload.share, key: payload.key, signature })
      case "return":
        return this.#handleReturn(sender, payload.key)
      case "introduction":
        this.#handleIntroduction(sender, payload.offer)
        return
      case "contribution":
        if (this.#handleIntroduction(sender, payload.offer)) this.#handleContribution(sender, payload)
        return
      case "handover":
        return this.#handleHandover(sender, payload.owner, payload.sealed)
      case "consensus":
        return this.#handleConsensus(sender, payload.message)
    }
  }

  // --- offers ----------------------------------------------------------------------------------------------------------

  /** This member's own offer, signed: it can be relayed from now on, and others can be answered. */
  #receiveOwn(payload: Payload, signature: Uint8Array): void {
    const { self } = this.#options
    const { own, key } = this.#shares
    if (payload.kind !== "offer" || !own || this.#shares.offerOf(self)) return
    // From an earlier life, which had another y: then this member should have been started as one that returns.
    if (!equalBytes(payload.share, own.share) || !equalBytes(payload.key, key)) return
    const offer = { share: own.share, key, signature }
    this.#shares.addOffer(self, offer)
    if (this.isFinished) return
    this.#shares.addOwn(offer)
    this.#proposeIfMajority()
    for (const peer of this.#waiting) this.#introduce(peer)
    this.#waiting.clear()
  }

  #learnOffer(sender: number, offer: Offer): void {
    const outcome = this.#shares.addOffer(sender, offer)
    if (outcome === "invalid") this.#statements.fault(sender, "malformed-message")
    if (outcome === "conflict") this.#statements.fault(sender, "unexpected-message")
    if (outcome === "new") this.#introduce(sender)
  }

  /** Answered once for each key: two that returned would answer each other without end. */
  #handleReturn(sender: number, key: Uint8Array): void {
    const known = this.#shares.keyOf(sender)
    if (known && equalBytes(known, key)) return
    const member = this.#options.roster[sender]!
    const times = (this.#returned.get(member) ?? 0) + 1
    if (times > RETURNS_MAX) return this.#statements.fault(sender, "unexpected-message")
    this.#returned.set(member, times)
    this.#detector.exclude(member)
    this.#shares.setKey(sender, key)
    this.#consent({ type: "suspicions" })
    this.#introduce(sender)
  }

  /** A member that relays an offer is accountable for its signature. */
  #handleIntroduction(sender: number, offer: Offer): boolean {
    const isOffer = this.#shares.isOffer(sender, offer)
    if (isOffer) this.#learnOffer(sender, offer)
    else this.#statements.fault(sender, "malformed-message")
    return isOffer
  }

  /** All that a peer may lack, made from the present state; what it has already it ignores. */
  #introduce(peer: number): void {
    const { self, roster } = this.#options
    const offer = this.#shares.offerOf(self)
    const own = this.#shares.contributions.get(self)
    if (this.isFinished) return this.#consent({ type: "resend", to: roster[peer]! })
    if (!this.#shares.own) this.#statements.send(peer, { kind: "return", key: this.#shares.key })
    else if (!offer || !own) this.#waiting.add(peer)
    else {
      const sealed = this.#shares.keyOf(peer) ? this.#shares.seal(own, peer) : null
      if (sealed) this.#statements.send(peer, { kind: "contribution", offer, sealed })
      else this.#statements.send(peer, { kind: "introduction", offer })
    }
    this.#consent({ type: "resend", to: roster[peer]! })
  }

  // --- contributions -----------------------------------------------------------------------------------------------------

  #handleContribution(sender: number, { offer, sealed }: { offer: Offer; sealed: SealedShare }): void {
    const { contributions } = this.#shares
    const isWanted = this.#phase.name !== "finished" && !contributions.has(sender)
    // Any t owners meet any other t, so more than t are opened for nothing; but not once a set is decided.
    if (!isWanted || (this.#phase.name === "agreeing" && contributions.size >= this.#majority)) return
    if (this.#shares.open(sealed, sender, sender, offer) === "wrong") return this.#statements.fault(sender, "wrong-key")
    this.#proposeIfMajority()
    this.#finishIfPossible()
  }

  #proposeIfMajority(): void {
    const { group, codec } = this.#options
    const contributions = [...this.#shares.contributions.values()].sort((a, b) => a.owner - b.owner)
    if (contributions.length < this.#majority || this.#consensus.hasEstimate || this.#consensus.decision) return
    const value = codec.encodeProposal(proposalOf(group, contributions.slice(0, this.#majority)))
    this.#consent({ type: "propose", value })
  }

  #isValid(value: Uint8Array): boolean {
    if (this.#checked && equalBytes(this.#checked, value)) return true
    const proposal = this.#options.codec.decodeProposal(value)
    const isOffer = (owner: number, offer: Offer): boolean => this.#shares.isOffer(owner, offer)
    if (!proposal || !isProposal(this.#options.group, proposal, { majority: this.#majority, isOffer })) return false
    this.#checked = value
    return true
  }

  // --- consensus -----------------------------------------------------------------------------------------------------------

  #handleConsensus(sender: number, message: ConsensusMessage): void {
    this.#consent({ type: "message", from: this.#options.roster[sender]!, message })
    if (message.kind !== "want") return
    if (this.#phase.name === "finished") this.#handOver(this.#phase.kept, sender)
    else if (this.#phase.name === "decided") this.#wanting.add(sender)
  }

  #handOver(kept: Contribution, to: number): void {
    const sealed = this.#shares.seal(kept, to)
    if (sealed) this.#statements.send(to, { kind: "handover", owner: kept.owner, sealed })
  }

  #consent(input: ConsensusInput): void {
    for (const output of this.#consensus.step(input)) this.#takeConsensus(output)
  }

  #takeConsensus(output: ConsensusOutput): void {
    if (output.type === "send") {
      // The answer is the decision and, right behind it, a handover.
      if (output.message.kind === "want") this.#asking.restart(this.#detector.nowMs)
      this.#statements.send(this.#options.roster.indexOf(output.to), { kind: "consensus", message: output.message })
    } else if (output.type === "multicast") this.#statements.multicast({ kind: "consensus", message: output.message })
    else if (output.type === "decide") this.#becomeDecided(output.value)
    else {
      const reason = output.reason === "invalid-value" ? "wrong-key" : "unexpected-message"
      this.#statements.fault(this.#options.roster.indexOf(output.member), reason)
    }
  }

  // --- from the decision to the secret ---------------------------------------------------------------------------------------

  #becomeDecided(value: Uint8Array): void {
    const proposal = this.#options.codec.decodeProposal(value) ?? unreachable("a decided value was checked")
    this.#phase = { name: "decided", value, proposal }
    this.#finishIfPossible()
  }

  /**
   * For a late starter all owners may be gone. Then a finished member gives it one y, checked against the decided C.
   */
  #handleHandover(sender: number, owner: number, sealed: SealedShare): void {
    if (this.#phase.name !== "decided") return
    const offer = this.#phase.proposal.owners.find((other) => other.owner === owner)?.offer
    if (!offer) return this.#statements.fault(sender, "unexpected-message")
    const outcome = this.#shares.open(sealed, sender, owner, offer)
    if (outcome === "opened") return this.#finishIfPossible()
    if (outcome === "wrong") this.#statements.fault(sender, "wrong-key")
    this.#consent({ type: "ask" })
  }

  #finishIfPossible(): void {
    if (this.#phase.name !== "decided") return
    const { value, proposal } = this.#phase
    const { group, sid, roster } = this.#options
    const kept = knownOf(proposal, this.#shares.contributions)
    if (!kept) return
    const secret = secretOf(group, { sid, roster }, proposal, kept)
    this.#shares.eraseAllBut(kept.owner)
    this.#phase = { name: "finished", kept, owners: new Set(proposal.owners.map(({ owner }) => owner)) }
    this.#statements.secret(secret, transcriptOf(sid, value))
    for (const peer of this.#wanting) this.#handOver(kept, peer)
    this.#wanting.clear()
  }

  // --- time -------------------------------------------------------------------------------------------------------------------

  tick(nowMs: number): readonly MajorityOutput[] {
    this.#detector.tick(nowMs)
    if (this.#consensus.isRunning && this.#heartbeats.fires(nowMs)) {
      this.#statements.multicast({ kind: "consensus", message: { kind: "alive" } })
    }
    this.#consent({ type: "suspicions" })
    if (this.#isAsking && this.#asking.fires(nowMs)) this.#consent({ type: "ask" })
    return this.#statements.flush()
  }

  /** When the next tick is due; null if this session waits for others only. */
  get dueMs(): number | null {
    if (this.isFinished) return null
    if (this.#consensus.isRunning) return this.#heartbeats.dueMs
    return this.#isAsking ? this.#asking.dueMs : null
  }

  get #isAsking(): boolean {
    return this.#phase.name === "decided" || this.#consensus.isAsking
  }
}
