import { ByteFiller } from "../shared/byte-layout.ts"
import type { KeyedView } from "../agreement/key-agreement.ts"
import { MEMBER_ID_BYTES, type MemberId } from "../shared/member-id.ts"
import { VERSION } from "../shared/coders.ts"
import { decodeAttachments } from "../clusters/attachment.ts"
import type { CompletedEpoch } from "../clusters/completed-epoch.ts"
import type { Outbox } from "../clusters/outbox.ts"
import type { SeatAttachment, SeatAttachmentCodec } from "./seat-attachment.ts"
import { impostorsAmong, type Order, orderOf, type Seat, type Standing } from "./order.ts"

/** A completed epoch whose members stand in an order, the most senior first. */
export type SeatedEpoch = CompletedEpoch & { readonly seats: readonly Seat[] }

export type Seating = { readonly attachments: ReadonlyMap<MemberId, SeatAttachment>; readonly order: Order }

/** From the attachments of a view to its order; null, and faults, if there is none. `base`: what this member's own names. */
export function seatingOf(
  codec: SeatAttachmentCodec,
  view: KeyedView,
  base: SeatedEpoch | null,
  outbox: Outbox,
): Seating | null {
  const attachments = decodeAttachments(codec, view, outbox)
  if (!attachments) return null
  const standingOf = (member: MemberId): Standing | null => attachments.get(member)!.standing
  const order = orderOf(view.members, standingOf)
  const claimants = order.seniors.map(({ owner }) => owner)
  const impostors = base && claimants.includes(view.self) ? impostorsAmong(base.seats, claimants, standingOf) : []
  for (const impostor of impostors) outbox.fault(impostor, "bad-state")
  return impostors.length === 0 ? { attachments, order } : null
}

/** A member's attachment about itself. It has a seat in every state that it completed. */
export function standingOn(base: SeatedEpoch, self: MemberId): Standing {
  const place = base.seats.findIndex(({ owner }) => owner === self)
  const { epochId, stateHash, seats } = base
  return { epochId, stateHash, place, sinceEpoch: seats[place]!.sinceEpoch }
}

/** The public state's bytes as far as it is an order. Only hashed and displayed: no member decodes another's. */
export function encodeSeats(seats: readonly Seat[]): Uint8Array {
  const filler = new ByteFiller(1 + seats.length * (MEMBER_ID_BYTES + 8)).u8(VERSION)
  for (const { owner, sinceEpoch } of seats) filler.memberId(owner).u64(sinceEpoch)
  return filler.done()
}
