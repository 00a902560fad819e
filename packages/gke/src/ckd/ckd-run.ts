import { equalBytes } from "../shared/bytes.ts"
import { completedEpoch, encodedState, secretOf } from "../clusters/completed-epoch.ts"
import { Outbox } from "../clusters/outbox.ts"
import type { RunInput, ViewRun } from "../clusters/view-agreement.ts"
import { type Element, isRejection, type PrimeOrderGroup } from "../group/prime-order-group.ts"
import type { KeyAgreementOutput } from "../agreement/key-agreement.ts"
import type { MemberId } from "../shared/member-id.ts"
import type { SeatAttachment, SeatAttachmentCodec } from "../seniority/seat-attachment.ts"
import type { Seat } from "../seniority/order.ts"
import { encodeSeats, type SeatedEpoch, seatingOf } from "../seniority/seating.ts"
import { type DeliveredMulticast, encodeApart, transcriptOf } from "../agreement/transcript.ts"
import { decodeMessage, encodeMessage } from "./ckd-codec.ts"
import { commitmentTo, open, seal } from "./sealing.ts"

type Seats = readonly Seat[]

/**
 * sealing: this is the controller, and waits for its own multicast to come back: the others have it then, too.
 * opening: the controller's multicast is still to come.
 */
type Phase =
  | { readonly name: "new" }
  | { readonly name: "sealing"; readonly seats: Seats; readonly groupSecret: Uint8Array; readonly sent: Uint8Array }
  | { readonly name: "opening"; readonly seats: Seats; readonly controllerShare: Element }
  | { readonly name: "completed" }
  | { readonly name: "failed" }

/** `groupSecret`: the secret that this member sends if it is the controller; the run owns it and overwrites it. */
export type CkdRunInput = Omit<RunInput<SeatedEpoch>, "random"> & {
  readonly group: PrimeOrderGroup
  readonly codec: SeatAttachmentCodec
  readonly groupSecret: Uint8Array
}

const ROUND = 1

/** One view under CKD. */
export class CkdRun implements ViewRun<SeatedEpoch> {
  readonly #input: CkdRunInput
  readonly #outbox = new Outbox()
  #phase: Phase = { name: "new" }
  completed: SeatedEpoch | null = null

  constructor(input: CkdRunInput) {
    this.#input = input
  }

  start(): readonly KeyAgreementOutput[] {
    const { codec, view, base, groupSecret } = this.#input
    const seating = seatingOf(codec, view, base, this.#outbox)
    if (!seating) this.#becomeFailed()
    else {
      const { seniors, newcomers } = seating.order
      const entering = newcomers.map((owner) => ({ owner, sinceEpoch: view.proposal.epoch }))
      const seats = [...seniors, ...entering]
      const shares = this.#sharesOf(seating.attachments)
      if (!shares) this.#becomeFailed()
      else if (view.members.length === 1) this.#becomeCompleted(seats, groupSecret, [])
      else if (controllerOf(seats) === view.self) this.#becomeSealing(seats, shares)
      else this.#phase = { name: "opening", seats, controllerShare: shares.get(controllerOf(seats))! }
    }
    return this.#outbox.flush()
  }

  receive(from: MemberId, via: "unicast" | "multicast", bytes: Uint8Array): readonly KeyAgreementOutput[] {
    const phase = this.#phase
    if (phase.name !== "failed") {
      const isPrescribed = phase.name === "sealing" || phase.name === "opening"
      if (via === "unicast" || !isPrescribed || from !== controllerOf(phase.seats)) {
        this.#outbox.fault(from, "unexpected-message")
      } else if (phase.name === "opening") this.#receiveSealed(phase, bytes)
      else if (equalBytes(bytes, phase.sent)) this.#complete(phase.seats, phase.groupSecret, bytes)
      else this.#failAt(from, "wrong-key")
    }
    return this.#outbox.flush()
  }

  awaiting(): readonly MemberId[] {
    const phase = this.#phase
    return phase.name === "opening" || phase.name === "sealing" ? [controllerOf(phase.seats)] : []
  }

  abandon(): void {
    if (this.#phase.name !== "completed") this.#becomeFailed()
  }

  #becomeSealing(seats: Seats, shares: ReadonlyMap<MemberId, Element>): void {
    const { group, view, share, groupSecret } = this.#input
    const sealed = othersThan(view.self, view.members).map((member) =>
      seal(group, share, shares.get(member)!, { sid: view.sid, controller: view.self, member }, groupSecret),
    )
    const sent = encodeMessage({ commitment: commitmentTo(groupSecret), sealed })
    this.#phase = { name: "sealing", seats, groupSecret, sent }
    this.#outbox.multicast(sent)
  }

  /**
   * Null, and a fault of each owner, if some are no elements. Every member checks all of them, though only the controller
   * uses them. Otherwise its verdict alone would stand against another member's.
   */
  #sharesOf(attachments: ReadonlyMap<MemberId, SeatAttachment>): ReadonlyMap<MemberId, Element> | null {
    const shares = new Map<MemberId, Element>()
    for (const [member, { share }] of attachments) {
      const element = this.#input.group.decode(share)
      if (isRejection(element)) this.#outbox.fault(member, "malformed-attachment")
      else shares.set(member, element)
    }
    return shares.size === attachments.size ? shares : null
  }

  #receiveSealed({ seats, controllerShare }: Phase & { name: "opening" }, bytes: Uint8Array): void {
    const { group, view, share } = this.#input
    const controller = controllerOf(seats)
    const message = decodeMessage(bytes)
    const others = othersThan(controller, view.members)
    if (message?.sealed.length !== others.length) return this.#failAt(controller, "malformed-message")
    const channel = { sid: view.sid, controller, member: view.self }
    const groupSecret = open(group, share, controllerShare, channel, message.sealed[others.indexOf(view.self)]!)
    if (groupSecret && equalBytes(commitmentTo(groupSecret), message.commitment)) {
      this.#complete(seats, groupSecret, bytes)
    } else this.#failAt(controller, "wrong-key")
    groupSecret?.fill(0)
  }

  #complete(seats: Seats, groupSecret: Uint8Array, bytes: Uint8Array): void {
    this.#becomeCompleted(seats, groupSecret, [{ round: ROUND, sender: controllerOf(seats), bytes }])
  }

  #becomeCompleted(seats: Seats, groupSecret: Uint8Array, delivered: readonly DeliveredMulticast[]): void {
    const { view } = this.#input
    const transcript = transcriptOf(encodeApart(view.attachments), delivered)
    this.#outbox.secret(secretOf("ckd", groupSecret, view.members.length), transcript)
    this.completed = { ...completedEpoch("ckd", encodedState(encodeSeats(seats)), view.sid, transcript), seats }
    this.#phase = { name: "completed" }
    this.#erase()
  }

  #failAt(member: MemberId, reason: "malformed-message" | "wrong-key"): void {
    this.#outbox.fault(member, reason)
    this.#becomeFailed()
  }

  #becomeFailed(): void {
    this.#phase = { name: "failed" }
    this.#erase()
  }

  #erase(): void {
    this.#input.share.fill(0)
    this.#input.groupSecret.fill(0)
  }
}

/** The paper's: the oldest member of the first cluster. */
function controllerOf(seats: Seats): MemberId {
  return seats[0]!.owner
}

function othersThan(member: MemberId, members: readonly MemberId[]): MemberId[] {
  return members.filter((other) => other !== member)
}
