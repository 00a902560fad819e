/**
 * Joins group communication and key agreement (the secure layer of Secure Spread, with clusters in the place of its
 * table of events): every view gets a key of its own, and application data flows when every member has proved that it
 * holds it. A synchronous state machine: what the group core puts out goes in, what is to be sent comes out.
 */
import { confirmationKey, confirmationTag, isConfirmation, type KeyStructure } from "@keymoot/gke"
import type { GroupFrame, GroupOutput, MemberId, ProposalId, View } from "@keymoot/transport"
import { decodeAgreementBody, encodeAgreementBody } from "./agreement-body.ts"
import type { EpochKeys, EpochKeysOutput, EpochKeysSink, KeyOfView } from "./epoch-keys.ts"
import { Lateness } from "./lateness.ts"
import { membersApart, statementsDigestIn, withoutStatementsDigest, withStatementsDigest } from "./statements-digest.ts"
import { SessionKeys, type SessionKeysConfig } from "./session-keys.ts"
import { ViewKeys, type ViewKeysConfig } from "./view-keys.ts"

/** By the conference's key agreement module. */
export type SecureGroupConfig = ViewKeysConfig | SessionKeysConfig

export type SecureGroupInput =
  | Extract<
      GroupOutput,
      { type: "deliver" | "view" | "transitional" | "flushRequest" | "rosterMessage" | "rosterLost" }
    >
  | { readonly type: "tick"; readonly nowMs: number }

export type SecureGroupOutput =
  | EpochKeysOutput
  /** Answer the group's flush request with this once nothing of the view is in the making any more. */
  | { readonly type: "flushed"; readonly proposal: ProposalId; readonly attachment: Uint8Array }
  /** A new view, without a key as yet: hold what the application sends. */
  | { readonly type: "agreeing"; readonly view: View }
  /**
   * Some have heard other things of the hosts, so no key is agreed in this view: tell these members what is known here, and
   * change the view.
   */
  | { readonly type: "apart"; readonly view: View; readonly members: readonly MemberId[] }
  /** The receiver owns `epochKey` and overwrites it. */
  | { readonly type: "keyed"; readonly view: View; readonly epochKey: Uint8Array }
  /** Every member has proved the key: send. */
  | { readonly type: "secured"; readonly view: View }
  /** Application data of the present view, in order. */
  | { readonly type: "data"; readonly frame: GroupFrame; readonly globalSequence: number }
  /** It keeps the others from their key, for too long or too often: it is to be left out for a while. */
  | { readonly type: "overdue"; readonly member: MemberId }
  /** The view is about to end; sending stops. */
  | { readonly type: "closing" }

/** Of the present view. `confirmation` is null until the key is there. */
type Agreement = {
  readonly view: View
  confirmation: { readonly key: Uint8Array; readonly transcript: Uint8Array } | null
  /** Proofs that came before the key did: one a member. */
  readonly early: Map<MemberId, Uint8Array>
  readonly confirmed: Set<MemberId>
}

export class SecureGroup {
  readonly #self: MemberId
  readonly #keys: EpochKeys
  readonly #statementsDigest: () => Uint8Array
  #agreement: Agreement | null = null
  readonly #lateness = new Lateness()
  /** No key is agreed in the present view. */
  #apart = false
  /** Nobody says anything more in the present view. */
  #closing = false
  #outputs: SecureGroupOutput[] = []

  /** `statementsDigest`: over what hosts have said, as far as it is known here now (32 bytes). */
  constructor(config: SecureGroupConfig, statementsDigest: () => Uint8Array) {
    this.#statementsDigest = statementsDigest
    this.#self = config.self
    const sink: EpochKeysSink = {
      emit: (output) => this.#emit(output),
      keyed: (key) => this.#onKey(key),
      isSecured: () => this.#agreement?.confirmed.size === this.#agreement?.view.members.length,
    }
    this.#keys = config.module === "majority" ? new SessionKeys(config, sink) : new ViewKeys(config, sink)
  }

  /**
   * Who keeps the present view from being secured by saying nothing, as far as that is certain, and could speak now without
   * having heard from any other of them; not this member.
   */
  awaiting(): readonly MemberId[] {
    const agreement = this.#agreement
    if (!agreement || this.#apart || this.#closing) return []
    const silent = agreement.confirmation
      ? this.#keys.proving(agreement.view.members.map(({ id }) => id).filter((id) => !agreement.confirmed.has(id)))
      : this.#keys.awaiting()
    return silent.filter((member) => member !== this.#self)
  }

  /** False while the present view has to wait for people who are not in it. */
  get expectsKey(): boolean {
    return this.#keys.expectsKey
  }

  /** The next view is wanted for a new key. */
  renew(): void {
    this.#keys.renew()
  }

  /** See `KeyAgreement.structure`. */
  structure(): KeyStructure | null {
    return this.#keys.structure()
  }

  /** It is over: overwrites what is secret. */
  erase(): void {
    this.#eraseAgreement()
    this.#keys.erase()
  }

  step(input: SecureGroupInput): readonly SecureGroupOutput[] {
    this.#outputs = []
    this.#handle(input)
    return this.#outputs
  }

  #handle(input: SecureGroupInput): void {
    switch (input.type) {
      case "flushRequest":
        return this.#contribute(input)
      case "view":
        return this.#begin(input.view)
      case "deliver": {
        const { frame, globalSequence } = input.delivery
        if (frame.kind === "agreement") return this.#onAgreementFrame(frame)
        return this.#emit({ type: "data", frame, globalSequence })
      }
      case "transitional":
        return
      case "rosterMessage":
      case "rosterLost":
        return this.#apart ? undefined : this.#keys.handle(input)
      case "tick":
        if (!this.#apart) this.#keys.handle(input)
        for (const member of this.#lateness.tick(input.nowMs, this.awaiting())) this.#emit({ type: "overdue", member })
    }
  }

  #contribute({ proposal, members, first }: Extract<GroupOutput, { type: "flushRequest" }>): void {
    if (first) this.#emit({ type: "closing" })
    this.#closing = true
    const ids = members.map((member) => member.id)
    const attachment = withStatementsDigest(this.#statementsDigest(), this.#keys.contribute(proposal, ids))
    this.#emit({ type: "flushed", proposal, attachment })
  }

  #begin(view: View): void {
    this.#eraseAgreement()
    this.#agreement = { view, confirmation: null, early: new Map(), confirmed: new Set() }
    this.#closing = false
    this.#lateness.begin()
    this.#emit({ type: "agreeing", view })
    const members = membersApart(view, this.#self)
    this.#apart = members.length > 0
    if (this.#apart) return this.#emit({ type: "apart", view, members })
    this.#keys.begin(withoutStatementsDigest(view), statementsDigestIn(view, this.#self)!)
  }

  #onAgreementFrame(frame: GroupFrame): void {
    if (this.#apart) return
    const body = decodeAgreementBody(frame.message.body)
    if (!body) return this.#emit({ type: "fault", member: frame.origin, reason: "malformed-body" })
    if (body.type === "confirmation") return this.#onConfirmation(frame.origin, body.tag)
    if (body.type === "unicast" && body.to !== this.#self) return
    const via = body.type === "unicast" ? "unicast" : "multicast"
    this.#keys.handle({ type: "message", from: frame.origin, via, bytes: body.bytes })
  }

  #onKey({ epochKey, transcript }: KeyOfView): void {
    const agreement = this.#agreement!
    agreement.confirmation = { key: confirmationKey(epochKey), transcript }
    this.#emit({ type: "keyed", view: agreement.view, epochKey })
    const tag = confirmationTag(agreement.confirmation.key, this.#self, transcript)
    this.#emit({ type: "multicast", body: encodeAgreementBody({ type: "confirmation", tag }) })
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
    if (!isConfirmation(key, member, transcript, tag)) {
      return this.#emit({ type: "fault", member, reason: "failed-confirmation" })
    }
    if (agreement.confirmed.has(member)) return
    agreement.confirmed.add(member)
    if (agreement.confirmed.size === agreement.view.members.length)
      this.#emit({ type: "secured", view: agreement.view })
  }

  #eraseAgreement(): void {
    this.#agreement?.confirmation?.key.fill(0)
    this.#agreement = null
  }

  #emit(output: SecureGroupOutput): void {
    this.#outputs.push(output)
  }
}
