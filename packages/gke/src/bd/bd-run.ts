import { type Attachment, type AttachmentCodec, decodeAttachments, encodeTogether } from "../clusters/attachment.ts"
import { completedEpoch, type CompletedEpoch, encodedState, secretOf } from "../clusters/completed-epoch.ts"
import { Outbox } from "../clusters/outbox.ts"
import { Slots } from "../clusters/slots.ts"
import type { RunInput, ViewRun } from "../clusters/view-agreement.ts"
import { unreachable } from "../shared/errors.ts"
import { isCanonicalScalar, isRejection, type Element, type PrimeOrderGroup } from "../group/prime-order-group.ts"
import type { KeyAgreementOutput } from "../agreement/key-agreement.ts"
import type { MemberId } from "../shared/member-id.ts"
import { type DeliveredMulticast, transcriptOf } from "../agreement/transcript.ts"
import type { BdCodec } from "./bd-codec.ts"
import { differenceAt, explains, isDifference, sharedByTwo, sumOfKeys } from "./ring.ts"

/**
 * agreeing: waits for the X of all members. `early` holds the openings of members that have got them all before this one.
 * disputing: the sum of all X was not zero, so no member can have a secret. All members open their shares; `silent` have
 * not yet.
 */
type Phase =
  | { readonly name: "new" }
  | { readonly name: "agreeing"; readonly shares: readonly Element[]; readonly early: Map<MemberId, Uint8Array> }
  | {
      readonly name: "disputing"
      readonly shares: readonly Element[]
      readonly differences: readonly Uint8Array[]
      readonly silent: Set<MemberId>
    }
  | { readonly name: "completed" }
  | { readonly name: "failed" }

export type BdRunInput = RunInput<CompletedEpoch> & {
  readonly group: PrimeOrderGroup
  readonly codecs: { readonly attachments: AttachmentCodec; readonly messages: BdCodec }
}

const DIFFERENCES_ROUND = 1
const NO_STATE = encodedState(new Uint8Array(0))

/**
 * One view under BD: every event is the same, and nothing of earlier epochs is used.
 *
 * A wrong X does not identify its sender: only the sender's two neighbours together could check it. So if the sum shows
 * a wrong X, all members open their shares. The shares were made for this view alone, and no key will be made of them.
 * A culprit may send different X to different members, so that the sum is right for some. These get no confirmation
 * from the members that opened their shares, and so never use their secret.
 */
export class BdRun implements ViewRun<CompletedEpoch> {
  readonly #input: BdRunInput
  readonly #outbox = new Outbox()
  /** From `start` on, unless one does not decode: then the run has failed. */
  #attachments: ReadonlyMap<MemberId, Attachment> = new Map()
  readonly #slots = new Slots<"difference">()
  /** As they came: whether they are elements shows when they are added up. */
  readonly #differences = new Map<MemberId, Uint8Array>()
  #phase: Phase = { name: "new" }
  completed: CompletedEpoch | null = null

  constructor(input: BdRunInput) {
    this.#input = input
  }

  start(): readonly KeyAgreementOutput[] {
    const shares = this.#sharesInOrder()
    if (shares) this.#becomeAgreeing(shares)
    else this.#becomeFailed()
    return this.#outbox.flush()
  }

  receive(from: MemberId, via: "unicast" | "multicast", bytes: Uint8Array): readonly KeyAgreementOutput[] {
    if (via === "unicast") this.#outbox.fault(from, "unexpected-message")
    else if (this.#phase.name !== "failed") {
      const message = this.#input.codecs.messages.decodeMessage(bytes)
      if (!message) this.#outbox.fault(from, "malformed-message")
      else if (message.kind === "difference") this.#receiveDifference(from, message.difference, bytes)
      else this.#receiveOpening(from, message.share)
    }
    return this.#outbox.flush()
  }

  awaiting(): readonly MemberId[] {
    if (this.#phase.name === "disputing") return [...this.#phase.silent]
    return this.#phase.name === "agreeing" ? this.#slots.awaiting() : []
  }

  abandon(): void {
    if (this.#phase.name !== "completed") this.#becomeFailed()
  }

  /**
   * Every Z, in the order of the ring; null, and a fault of each owner, if attachments are invalid. Only the
   * neighbours' Z enter this member's arithmetic, but every member checks all of them. Otherwise the verdict of two
   * neighbours would stand against their silence. The checks are about a sixth of the work.
   */
  #sharesInOrder(): Element[] | null {
    const { group, codecs, view } = this.#input
    const attachments = decodeAttachments(codecs.attachments, view, this.#outbox)
    if (!attachments) return null
    this.#attachments = attachments
    const shares: Element[] = []
    for (const member of view.members) {
      const { share, state } = attachments.get(member)!
      const element = group.decode(share)
      if (state.length > 0 || isRejection(element)) this.#outbox.fault(member, "malformed-attachment")
      else shares.push(element)
    }
    return shares.length === view.members.length ? shares : null
  }

  #becomeAgreeing(shares: readonly Element[]): void {
    const { group, view, share } = this.#input
    const position = view.members.indexOf(view.self)
    if (shares.length === 1) return this.#becomeCompleted(share, [])
    if (shares.length === 2) return this.#becomeCompleted(sharedByTwo(group, shares[1 - position]!, share), [])
    this.#phase = { name: "agreeing", shares, early: new Map() }
    for (const member of view.members) this.#slots.prescribe(DIFFERENCES_ROUND, member, "difference")
    const difference = differenceAt(group, shares, position, share)
    this.#outbox.multicast(this.#input.codecs.messages.encodeMessage({ kind: "difference", difference }))
  }

  #receiveDifference(from: MemberId, difference: Uint8Array, bytes: Uint8Array): void {
    const slot = this.#slots.open(DIFFERENCES_ROUND, from)
    if (!slot) return this.#outbox.fault(from, "unexpected-message")
    slot.delivered = bytes
    this.#differences.set(from, difference)
    if (this.#differences.size < this.#input.view.members.length) return
    this.#closeRing(this.#slots.allDelivered() ?? unreachable("each X was delivered in its slot"))
  }

  #closeRing(delivered: readonly DeliveredMulticast[]): void {
    if (this.#phase.name !== "agreeing") return
    const { group, view, share } = this.#input
    const { shares, early } = this.#phase
    const differences = view.members.map((member) => this.#differences.get(member)!)
    const sum = sumOfKeys(group, shares, differences, view.members.indexOf(view.self), share)
    if (sum === "wrong") return this.#becomeDisputing(shares, differences, early)
    if (sum === "malformed") {
      for (const [at, member] of view.members.entries()) {
        if (!isDifference(group, differences[at]!)) this.#outbox.fault(member, "malformed-message")
      }
      return this.#becomeFailed()
    }
    this.#becomeCompleted(sum, delivered)
    for (const from of early.keys()) this.#outbox.fault(from, "unexpected-message")
  }

  #becomeDisputing(
    shares: readonly Element[],
    differences: readonly Uint8Array[],
    early: ReadonlyMap<MemberId, Uint8Array>,
  ): void {
    const { codecs, view, share } = this.#input
    this.#phase = { name: "disputing", shares, differences, silent: new Set(view.members) }
    this.#outbox.multicast(codecs.messages.encodeMessage({ kind: "opening", share }))
    for (const [from, opened] of early) this.#receiveOpening(from, opened)
  }

  #receiveOpening(from: MemberId, opened: Uint8Array): void {
    const { group, view } = this.#input
    const phase = this.#phase
    if (phase.name === "agreeing" && view.members.includes(from) && !phase.early.has(from)) {
      phase.early.set(from, opened)
      return
    }
    if (phase.name !== "disputing" || !phase.silent.delete(from)) return this.#outbox.fault(from, "unexpected-message")
    const { shares, differences } = phase
    if (!isCanonicalScalar(group, opened)) this.#outbox.fault(from, "malformed-message")
    else if (!explains(group, shares, differences, view.members.indexOf(from), opened)) {
      this.#outbox.fault(from, "wrong-key")
    }
    if (phase.silent.size === 0) this.#becomeFailed()
  }

  /** Takes `top` over. */
  #becomeCompleted(top: Uint8Array, delivered: readonly DeliveredMulticast[]): void {
    const { view, share } = this.#input
    const transcript = transcriptOf(encodeTogether(view.members, this.#attachments), delivered)
    const secret = secretOf("bd", top, view.members.length)
    this.completed = completedEpoch("bd", NO_STATE, view.sid, transcript)
    this.#phase = { name: "completed" }
    top.fill(0)
    share.fill(0)
    this.#outbox.secret(secret, transcript)
  }

  #becomeFailed(): void {
    this.#input.share.fill(0)
    this.#phase = { name: "failed" }
  }
}
