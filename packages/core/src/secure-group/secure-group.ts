/**
 * Combines group communication and key agreement: the secure layer of Secure Spread, with clusters instead of its event
 * table. Every view gets its own key. Application data flows when every member has proved that it holds the key.
 *
 * A synchronous state machine. Input: outputs of the group core. Output: messages to send.
 */
import { confirmationKey, confirmationTag, isConfirmation, type KeyStructure } from "@keymoot/gke"
import type { GroupFrame, GroupOutput, MemberId, ProposalId, View } from "@keymoot/transport"
import { decodeAgreementBody, encodeAgreementBody } from "./agreement-body.ts"
import type { EpochKeys, EpochKeysOutput, KeyOfView } from "./epoch-keys.ts"
import { HybridKeys } from "./hybrid-keys.ts"
import { StallBudget } from "./stall-budget.ts"
import { differingMembers, statementsDigestIn, withoutStatementsDigest, withStatementsDigest } from "./attachments.ts"
import { SessionKeys, type SessionKeysConfig } from "./session-keys.ts"
import { ViewKeys, type ViewKeysConfig } from "./view-keys.ts"

/** Configuration for the conference's key agreement module. */
export type SecureGroupConfig = ViewKeysConfig | SessionKeysConfig

/** `statementsDigest`: digest of the hosts' statements known here now (32 bytes). */
type FlushRequest = Extract<GroupOutput, { type: "flushRequest" }> & { readonly statementsDigest: Uint8Array }

export type SecureGroupInput =
  | Extract<GroupOutput, { type: "deliver" | "view" | "transitional" | "rosterMessage" | "rosterLost" }>
  | FlushRequest
  /** `proposer`: see `GroupCore.proposer`. */
  | { readonly type: "tick"; readonly nowMs: number; readonly proposer: MemberId }

export type SecureGroupOutput =
  | Exclude<EpochKeysOutput, { type: "keyed" }>
  /** Answer the group's flush request with this once no frame of the view is being built. */
  | { readonly type: "flushed"; readonly proposal: ProposalId; readonly attachment: Uint8Array }
  /** A new view without a key yet. Hold the application's messages. */
  | { readonly type: "agreeing"; readonly view: View }
  /**
   * These members know other statements of hosts, so no key is agreed in this view. Send them the statements known
   * here, and change the view.
   */
  | { readonly type: "differing"; readonly view: View; readonly members: readonly MemberId[] }
  /** The receiver owns `epochKey` and overwrites it. */
  | { readonly type: "keyed"; readonly view: View; readonly epochKey: Uint8Array }
  /**
   * Multicast this in the present view as an `agreement` frame, `fifo`: this member's proof of the key. No frame of a
   * call may be encrypted under a former key afterwards.
   */
  | { readonly type: "proof"; readonly body: Uint8Array }
  /** Every member has proved the key. Send. */
  | { readonly type: "secured"; readonly view: View }
  /** Application data of the present view, in order. */
  | { readonly type: "data"; readonly frame: GroupFrame }
  /** It stalls the key agreement for too long or too often, or does not prove the key. Leave it out for a while. */
  | { readonly type: "overdue"; readonly member: MemberId }

/**
 * Bound on views in which a member's proof of the key fails, without a secured one between them. Then it is left out.
 * It may be the victim of a leader that sent it another message than the others. The next view shows the two messages,
 * and the leader goes.
 */
export const FAILED_PROOF_VIEWS_MAX = 3

/** State of the present view. `confirmation` is null until the key is agreed. */
type Agreement = {
  readonly view: View
  confirmation: { readonly key: Uint8Array; readonly transcript: Uint8Array } | null
  /** Proofs that arrived before the key was agreed, one per member. */
  readonly early: Map<MemberId, Uint8Array>
  readonly confirmed: Set<MemberId>
  /** Members of which any frame of the agreement has come. */
  readonly heard: Set<MemberId>
  /** Members whose proof failed. They can give no other one in this view. */
  readonly failed: Set<MemberId>
}

export class SecureGroup {
  readonly #self: MemberId
  readonly #keys: EpochKeys
  readonly #hasClock: boolean
  #agreement: Agreement | null = null
  readonly #stallBudget = new StallBudget()
  /** Members of the view whose proof failed: in how many views since the last secured one. */
  #failedViews = new Map<MemberId, number>()
  /** Whether the present view gets no key. */
  #differing = false
  /** Whether sending has ended in the present view. */
  #closing = false
  readonly #outputs: SecureGroupOutput[] = []

  constructor(config: SecureGroupConfig) {
    this.#self = config.self
    this.#hasClock = config.module === "majority"
    const classical = config.module === "majority" ? new SessionKeys(config) : new ViewKeys(config)
    this.#keys = config.postQuantum === "off" ? classical : hybridOf(config, classical)
  }

  /**
   * Other members whose silence certainly keeps the present view from being secured, and whose next message depends on
   * no other of them. In a view that gets no key, that is the lowest member, which owes another view.
   */
  awaiting(): readonly MemberId[] {
    const agreement = this.#agreement
    if (!agreement || this.#closing) return []
    const { members } = agreement.view
    const silent = this.#getsNoKey ? members.slice(0, 1).map(({ id }) => id) : this.#silentIn(agreement)
    return silent.filter((member) => member !== this.#self)
  }

  #silentIn({ view, confirmation, confirmed }: Agreement): readonly MemberId[] {
    if (!confirmation) return this.#keys.awaiting()
    return this.#keys.proving(view.members.map(({ id }) => id).filter((id) => !confirmed.has(id)))
  }

  /** Whether only another view can bring a key: statements differ, or a proof has failed. */
  get #getsNoKey(): boolean {
    return this.#differing || (this.#agreement?.failed.size ?? 0) > 0
  }

  /** Grows with the agreement of the present view, at most twice for each member. */
  get progress(): number {
    return this.#agreement ? this.#agreement.heard.size + this.#agreement.confirmed.size : 0
  }

  /** Whether the present view is secured, and nothing runs by the clock. Under `majority` something always does. */
  get isCalm(): boolean {
    const agreement = this.#agreement
    const isSecured = agreement !== null && agreement.confirmed.size === agreement.view.members.length
    return isSecured && !this.#closing && !this.#hasClock
  }

  /** False while the present view waits for members outside of it. */
  get expectsKey(): boolean {
    return this.#differing || this.#keys.expectsKey
  }

  /** Requests a new key with the next view. */
  renew(): void {
    this.#keys.renew()
  }

  /** See `KeyAgreement.structure`. */
  structure(): KeyStructure | null {
    return this.#keys.structure()
  }

  /** Ends the conference: overwrites all secrets. */
  erase(): void {
    this.#eraseAgreement()
    this.#keys.erase()
  }

  step(input: SecureGroupInput): readonly SecureGroupOutput[] {
    this.#handle(input)
    return this.rest()
  }

  /** Outputs of a step that threw. */
  rest(): readonly SecureGroupOutput[] {
    return this.#outputs.splice(0)
  }

  #handle(input: SecureGroupInput): void {
    switch (input.type) {
      case "flushRequest":
        return this.#contribute(input)
      case "view":
        return this.#begin(input.view)
      case "deliver": {
        const { frame } = input.delivery
        if (frame.kind === "agreement") return this.#onAgreementFrame(frame)
        return this.#emit({ type: "data", frame })
      }
      case "transitional":
        return
      case "rosterMessage":
      case "rosterLost":
        return this.#differing ? undefined : this.#run(this.#keys.handle(input))
      case "tick":
        if (!this.#differing) this.#run(this.#keys.handle(input))
        for (const member of this.#stallBudget.tick(input.nowMs, this.#due(input.proposer)))
          this.#emit({ type: "overdue", member })
    }
  }

  /** A newcomer that should propose keeps the lowest member from it. The group blames that newcomer. */
  #due(proposer: MemberId): readonly MemberId[] {
    const awaiting = this.awaiting()
    return this.#getsNoKey ? awaiting.filter((member) => member === proposer) : awaiting
  }

  #contribute({ proposal, members, statementsDigest }: FlushRequest): void {
    this.#closing = true
    const ids = members.map((member) => member.id)
    const attachment = withStatementsDigest(statementsDigest, this.#keys.contribute(proposal, ids))
    this.#emit({ type: "flushed", proposal, attachment })
  }

  #begin(view: View): void {
    this.#eraseAgreement()
    this.#agreement = {
      view,
      confirmation: null,
      early: new Map(),
      confirmed: new Set(),
      heard: new Set(),
      failed: new Set(),
    }
    const stays = (member: MemberId): boolean => view.members.some(({ id }) => id === member)
    this.#failedViews = new Map([...this.#failedViews].filter(([member]) => stays(member)))
    this.#closing = false
    this.#stallBudget.begin(view.members.length)
    this.#emit({ type: "agreeing", view })
    const members = differingMembers(view, this.#self)
    this.#differing = members.length > 0
    if (this.#differing) return this.#emit({ type: "differing", view, members })
    this.#run(this.#keys.begin(withoutStatementsDigest(view), statementsDigestIn(view, this.#self)!))
  }

  #run(outputs: readonly EpochKeysOutput[]): void {
    for (const output of outputs) {
      if (output.type === "keyed") this.#onKey(output)
      else this.#emit(output)
    }
  }

  #onAgreementFrame(frame: GroupFrame): void {
    if (this.#differing) return
    this.#agreement?.heard.add(frame.origin)
    const body = decodeAgreementBody(frame.message.body)
    if (!body) return this.#emit({ type: "fault", member: frame.origin, reason: "malformed-body" })
    if (body.type === "confirmation") return this.#onConfirmation(frame.origin, body.tag)
    if (body.type === "unicast" && body.to !== this.#self) return
    if (body.type === "postQuantum")
      return this.#run(this.#keys.handle({ type: "postQuantum", from: frame.origin, bytes: body.bytes }))
    const via = body.type === "unicast" ? "unicast" : "multicast"
    this.#run(this.#keys.handle({ type: "message", from: frame.origin, via, bytes: body.bytes }))
  }

  #onKey({ epochKey, transcript }: KeyOfView): void {
    const agreement = this.#agreement!
    agreement.confirmation = { key: confirmationKey(epochKey), transcript }
    this.#emit({ type: "keyed", view: agreement.view, epochKey })
    const tag = confirmationTag(agreement.confirmation.key, this.#self, transcript)
    this.#emit({ type: "proof", body: encodeAgreementBody({ type: "confirmation", tag }) })
    for (const [member, early] of agreement.early) this.#onConfirmation(member, early)
    agreement.early.clear()
  }

  #onConfirmation(member: MemberId, tag: Uint8Array): void {
    const agreement = this.#agreement!
    if (!agreement.confirmation) {
      if (!agreement.early.has(member)) agreement.early.set(member, tag)
      return
    }
    const { key, transcript } = agreement.confirmation
    if (agreement.failed.has(member)) return
    if (!isConfirmation(key, member, transcript, tag)) return this.#onFailedProof(agreement, member)
    if (agreement.confirmed.has(member)) return
    agreement.confirmed.add(member)
    if (agreement.confirmed.size < agreement.view.members.length) return
    // Not at each valid proof: several liars could take turns.
    this.#failedViews.clear()
    this.#run(this.#keys.handle({ type: "secured" }))
    this.#emit({ type: "secured", view: agreement.view })
  }

  #onFailedProof({ confirmed, failed }: Agreement, member: MemberId): void {
    failed.add(member)
    const views = (this.#failedViews.get(member) ?? 0) + 1
    this.#failedViews.set(member, views)
    this.#emit({ type: "fault", member, reason: "failed-confirmation" })
    // After a valid proof a false one is its own.
    if (views >= FAILED_PROOF_VIEWS_MAX || confirmed.has(member)) this.#emit({ type: "overdue", member })
    else this.#emit({ type: "refreshDue" })
  }

  #eraseAgreement(): void {
    this.#agreement?.confirmation?.key.fill(0)
    this.#agreement = null
  }

  #emit(output: SecureGroupOutput): void {
    this.#outputs.push(output)
  }
}

/** A conference that is hybrid has no keys without ML-KEM, so it never falls back. */
function hybridOf(config: SecureGroupConfig, classical: EpochKeys): EpochKeys {
  if (!config.kem) throw new Error("a hybrid conference needs ML-KEM")
  return new HybridKeys(config, config.kem, classical)
}
