/**
 * Joins group communication and key agreement (the secure layer of Secure Spread, with clusters in the place of its
 * table of events): every view gets a key of its own, and application data flows when every member has proved that it
 * holds it. A synchronous state machine: what the group core puts out goes in, what is to be sent comes out.
 */
import {
  conferenceSid,
  confirmationKey,
  confirmationTag,
  createKeyAgreement,
  epochKey,
  isConfirmation,
  RANDOM_BYTES,
  type FaultReason,
  type KeyAgreement,
  type KeyAgreementName,
  type KeyAgreementOutput,
  type PrimeOrderGroup,
} from "@keymoot/gke"
import type { GroupFrame, GroupOutput, MemberId, ProposalId, View } from "@keymoot/transport"
import { hexToBytes } from "@noble/hashes/utils.js"
import { decodeAgreementBody, encodeAgreementBody } from "./agreement-body.ts"

export type SecureGroupConfig = {
  readonly self: MemberId
  readonly module: KeyAgreementName
  readonly group: PrimeOrderGroup
  readonly conferenceId: Uint8Array
  readonly descriptorHash: Uint8Array
  /** Hash of the hosts' statements in force (32 bytes). */
  readonly statementsHash: Uint8Array
  /** 32 bytes from the room key: who breaks the agreement, but was never given the room key, has no epoch key. */
  readonly invitation: Uint8Array
  /** SHA-256 of the certificate of a member of the present view. */
  readonly fingerprintOf: (member: MemberId) => Uint8Array
  readonly random: (length: number) => Uint8Array
}

export type SecureGroupInput = Extract<GroupOutput, { type: "deliver" | "view" | "transitional" | "flushRequest" }>

export type SecureGroupOutput =
  /** Multicast in the present view as an `agreement` frame, `fifo`. */
  | { readonly type: "multicast"; readonly body: Uint8Array }
  /** Answer the group's flush request with this once nothing of the view is in the making any more. */
  | { readonly type: "flushed"; readonly proposal: ProposalId; readonly attachment: Uint8Array }
  /** A new view, without a key as yet: hold what the application sends. */
  | { readonly type: "agreeing"; readonly view: View }
  /** The receiver owns `epochKey` and overwrites it. */
  | { readonly type: "keyed"; readonly view: View; readonly epochKey: Uint8Array }
  /** Every member has proved the key: send. */
  | { readonly type: "secured"; readonly view: View }
  /** Application data of the present view, in order. */
  | { readonly type: "data"; readonly frame: GroupFrame; readonly globalSequence: number }
  /** The view is about to end; sending stops. */
  | { readonly type: "closing" }
  | { readonly type: "refreshDue" }
  | {
      readonly type: "fault"
      readonly member: MemberId
      readonly reason: FaultReason | "failed-confirmation" | "malformed-body"
    }

/** Of the present view. `confirmation` is null until the key is there. */
type Agreement = {
  readonly view: View
  readonly sid: Uint8Array
  confirmation: { readonly key: Uint8Array; readonly transcript: Uint8Array } | null
  /** Proofs that came before the key did: one a member. */
  readonly early: Map<MemberId, Uint8Array>
  readonly confirmed: Set<MemberId>
}

export class SecureGroup {
  readonly #config: SecureGroupConfig
  readonly #module: KeyAgreement
  #agreement: Agreement | null = null
  #outputs: SecureGroupOutput[] = []

  constructor(config: SecureGroupConfig) {
    this.#config = config
    this.#module = createKeyAgreement(config.module, { group: config.group, self: config.self })
  }

  /** Who keeps the present view from being secured by saying nothing, as far as that is certain; not this member. */
  awaiting(): readonly MemberId[] {
    const { self } = this.#config
    const agreement = this.#agreement
    if (!agreement) return []
    const silent = agreement.confirmation
      ? agreement.view.members.map(({ id }) => id).filter((id) => !agreement.confirmed.has(id))
      : this.#module.awaiting()
    return silent.filter((member) => member !== self)
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
    }
  }

  /** A fresh share for each proposal; that of an abandoned one is erased by the module. */
  #contribute({ proposal, members, first }: Extract<GroupOutput, { type: "flushRequest" }>): void {
    if (first) this.#emit({ type: "closing" })
    const random = this.#config.random(RANDOM_BYTES)
    const ids = members.map((member) => member.id)
    for (const output of this.#module.step({ type: "contribute", proposal, members: ids, random })) {
      if (output.type === "contribution") this.#emit({ type: "flushed", proposal, attachment: output.bytes })
      else this.#onModuleOutput(output)
    }
  }

  #begin(view: View): void {
    const { self, conferenceId, descriptorHash, statementsHash, module, fingerprintOf } = this.#config
    this.#eraseAgreement()
    const sid = conferenceSid({
      conferenceId,
      descriptorHash,
      viewId: hexToBytes(view.id),
      members: view.members.map(({ id }) => ({ member: id, fingerprint: fingerprintOf(id) })),
      statementsHash,
      module,
    })
    this.#agreement = { view, sid, confirmation: null, early: new Map(), confirmed: new Set() }
    this.#emit({ type: "agreeing", view })
    const { proposal, attachments } = view
    const members = view.members.map((member) => member.id)
    const random = this.#config.random(RANDOM_BYTES)
    this.#run(this.#module.step({ type: "view", view: { sid, self, members, proposal, attachments }, random }))
  }

  #onAgreementFrame(frame: GroupFrame): void {
    const body = decodeAgreementBody(frame.message.body)
    if (!body) return this.#emit({ type: "fault", member: frame.origin, reason: "malformed-body" })
    if (body.type === "confirmation") return this.#onConfirmation(frame.origin, body.tag)
    if (body.type === "unicast" && body.to !== this.#config.self) return
    const via = body.type === "unicast" ? "unicast" : "multicast"
    this.#run(this.#module.step({ type: "message", from: frame.origin, via, bytes: body.bytes }))
  }

  #run(outputs: readonly KeyAgreementOutput[]): void {
    for (const output of outputs) this.#onModuleOutput(output)
  }

  #onModuleOutput(output: KeyAgreementOutput): void {
    switch (output.type) {
      case "multicast":
        return this.#emit({ type: "multicast", body: encodeAgreementBody({ type: "message", bytes: output.bytes }) })
      case "secret":
        return this.#onSecret(output.secret, output.transcript)
      case "fault":
        return this.#emit(output)
      case "wantsView":
        return this.#emit({ type: "refreshDue" })
      case "unicast":
        return this.#emit({ type: "multicast", body: encodeAgreementBody(output) })
      case "contribution":
      case "wakeAt":
        // No module that is offered does this here: contributions answer `contribute`, and only `majority` has a clock.
        throw new Error(`unexpected ${output.type} from the key agreement`)
    }
  }

  #onSecret(secret: Uint8Array, transcript: Uint8Array): void {
    const agreement = this.#agreement!
    const { invitation, self } = this.#config
    const key = epochKey({ invitation, secret, transcript, sid: agreement.sid })
    secret.fill(0)
    agreement.confirmation = { key: confirmationKey(key), transcript }
    this.#emit({ type: "keyed", view: agreement.view, epochKey: key })
    const tag = confirmationTag(agreement.confirmation.key, self, transcript)
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
