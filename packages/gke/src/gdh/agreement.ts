import { copySecret, equalBytes } from "../shared/bytes.ts"
import { completedEpoch, encodedState, secretOf } from "../clusters/completed-epoch.ts"
import { Outbox } from "../clusters/outbox.ts"
import type { RunInput } from "../clusters/view-agreement.ts"
import { unreachable } from "../shared/errors.ts"
import { type Element, isRejection, type PrimeOrderGroup, type Scalar } from "../group/prime-order-group.ts"
import type { FaultReason } from "../agreement/key-agreement.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { SeatAttachmentCodec } from "../seniority/seat-attachment.ts"
import { type DeliveredMulticast, encodeApart, transcriptOf } from "../agreement/transcript.ts"
import type { GdhCodec, Message, PartialKeyList } from "./gdh-codec.ts"
import { byOwner, commitmentTo, encodeGdhState, type GdhEpoch, type Listed, openList, trailOf } from "./partial-keys.ts"
import { isRefreshing, multicastsOf, othersBySeat, type Plan } from "./plan.ts"

export type GdhRunInput = Omit<RunInput<GdhEpoch>, "random"> & {
  readonly group: PrimeOrderGroup
  readonly codecs: { readonly attachments: SeatAttachmentCodec; readonly messages: GdhCodec }
}

/** A way to a key. */
export interface Part {
  start(): void
  /** Whether such a message is prescribed now, from this sender. */
  step(from: MemberId, message: Message, bytes: Uint8Array): boolean
  awaiting(): readonly MemberId[]
  /** Overwrites the secrets that it holds itself. */
  erase(): void
}

/** The common part of all GDH runs: this member's share, multicasts sent and delivered, lists, and completion. */
export class Agreement {
  readonly input: GdhRunInput
  readonly plan: Plan
  readonly outbox: Outbox
  /** This member's in the new epoch; a copy, for the one before may still be needed. */
  readonly share: Scalar
  /** As controller: to compare with what comes back, and has not yet. */
  readonly #sent: Uint8Array[] = []
  readonly #multicasts: readonly { readonly round: number; readonly sender: MemberId }[]
  readonly #delivered: DeliveredMulticast[] = []
  completed: GdhEpoch | null = null
  isOver = false
  hasFailed = false

  constructor(input: GdhRunInput, plan: Plan, outbox: Outbox) {
    const { base, share, view } = input
    this.input = input
    this.plan = plan
    this.outbox = outbox
    this.#multicasts = multicastsOf(plan)
    this.share = copySecret(base && !isRefreshing(plan, view.self) ? base.share : share)
  }

  // --- multicasts -------------------------------------------------------------------------------------------------------

  /** Whose multicast comes next; undefined after the last. */
  get next(): MemberId | undefined {
    return this.#multicasts[this.#delivered.length]?.sender
  }

  /** Whether this member's multicast comes, if not next, then later. */
  isToCome(sender: MemberId): boolean {
    return this.#multicasts.slice(this.#delivered.length).some((one) => one.sender === sender)
  }

  multicast(message: Message): void {
    const bytes = this.input.codecs.messages.encode(message)
    this.#sent.push(bytes)
    this.outbox.multicast(bytes)
  }

  /** Own multicasts come back in order: the others have them then, too. */
  takeOwn(bytes: Uint8Array): "taken" | "all taken" | "never sent" | "failed" {
    const sent = this.#sent.shift()
    if (!sent) return "never sent"
    if (!equalBytes(sent, bytes)) {
      this.failAt(this.input.view.self, "wrong-key")
      return "failed"
    }
    this.deliver(bytes)
    return this.#sent.length === 0 ? "all taken" : "taken"
  }

  deliver(bytes: Uint8Array): void {
    const prescribed = this.#multicasts[this.#delivered.length] ?? unreachable("it was prescribed")
    this.#delivered.push({ ...prescribed, bytes })
  }

  // --- lists --------------------------------------------------------------------------------------------------------------

  /** As controller. `own`: its own partial key, which the list leaves out. `unicasts`: all that went before. */
  list(partials: readonly Element[], own: Element, key: Element, unicasts: readonly Uint8Array[]): Listed {
    const { self } = this.input.view
    this.multicast({
      kind: "list",
      list: { unicasts: trailOf(unicasts), commitment: commitmentTo(key), partials },
    })
    return { partials: byOwner(othersBySeat(this.plan, self), partials, self, own), key }
  }

  /** Null, and the controller is at fault, if it is no list, or gives another key to this member's `share` than it commits to. */
  open(controller: MemberId, list: PartialKeyList, own: Element, share: Scalar): Listed | null {
    const { group, view } = this.input
    const others = othersBySeat(this.plan, controller)
    const listed = openList(group, list, { self: view.self, share, others, controller, own })
    if (typeof listed !== "string") return listed
    this.failAt(controller, listed)
    return null
  }

  // --- the end --------------------------------------------------------------------------------------------------------------

  /** The last list is the last multicast: it can only be made when every other has been delivered and answered. */
  complete({ partials, key }: Listed): void {
    const { view, share } = this.input
    const { seats } = this.plan
    const transcript = transcriptOf(encodeApart(view.attachments), this.#delivered)
    this.outbox.secret(secretOf("gdh", key, view.members.length), transcript)
    const epoch = completedEpoch("gdh", encodedState(encodeGdhState(seats, partials)), view.sid, transcript)
    this.completed = { ...epoch, seats, partials, share: this.share }
    this.isOver = true
    key.fill(0)
    share.fill(0)
  }

  failAt(member: MemberId, reason: FaultReason): void {
    this.outbox.fault(member, reason)
    this.becomeFailed()
  }

  becomeFailed(): void {
    this.isOver = this.hasFailed = true
    this.input.share.fill(0)
    this.share.fill(0)
  }

  /** Null, and its sender is at fault, if it is none. */
  decodeElement(from: MemberId, bytes: Uint8Array): Element | null {
    const element = this.input.group.decode(bytes)
    if (!isRejection(element)) return element
    this.outbox.fault(from, "malformed-message")
    return null
  }
}
