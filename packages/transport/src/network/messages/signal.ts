import * as P from "micro-packed"
import { CANDIDATE_CHARACTERS_MAX, OPENING_BYTES_MAX, SDP_CHARACTERS_MAX } from "../../bounds/network-bounds.ts"
import { card, type RoomCard } from "./room-card.ts"
import { bounded, safeInteger, tagged, tryDecode } from "../../wire/codec.ts"

/**
 * A message between two members through the room. `attempt` numbers the offerer's peer connections in order, so a late
 * signal of a former one is recognised.
 */
export type Signal =
  | { readonly kind: "hello"; readonly card: RoomCard }
  | { readonly kind: "description"; readonly attempt: number; readonly type: "offer" | "answer"; readonly sdp: string }
  /** For the overlay, whose neighbours agree before there is a link. */
  | { readonly kind: "neighbour"; readonly bytes: Uint8Array }
  /**
   * Requests a link through the server, in which the sender is the initiator. `opening` is the first message of its
   * association, which saves a round trip.
   */
  | { readonly kind: "relay"; readonly attempt: number; readonly opening: Uint8Array }
  | {
      readonly kind: "candidate"
      readonly attempt: number
      readonly candidate: string
      readonly sdpMid: string | null
      readonly sdpMLineIndex: number | null
    }

function boundedString(charactersMax: number): P.CoderType<string> {
  return P.validate(P.string(P.U16BE), (value) => {
    if (value.length > charactersMax) throw new RangeError("longer than its bound")
    return value
  })
}

const description = P.struct({
  attempt: safeInteger,
  type: P.map(P.U8, { offer: 1, answer: 2 }) as P.CoderType<"offer" | "answer">,
  sdp: boundedString(SDP_CHARACTERS_MAX),
})
const candidate = P.struct({
  attempt: safeInteger,
  candidate: boundedString(CANDIDATE_CHARACTERS_MAX),
  sdpMid: P.optional(P.bool, boundedString(64)),
  sdpMLineIndex: P.optional(P.bool, P.U16BE),
})
const opening = P.bytes(bounded(P.U16BE, OPENING_BYTES_MAX))
const relay = P.struct({ attempt: safeInteger, opening })
const neighbour = P.struct({ bytes: P.bytes(null) })
const coder = tagged<Signal>("kind", {
  hello: [1, P.struct({ card })],
  description: [2, description],
  candidate: [3, candidate],
  relay: [4, relay],
  neighbour: [5, neighbour],
})

export function encodeSignal(signal: Signal): Uint8Array {
  return coder.encode(signal)
}

export function decodeSignal(bytes: Uint8Array): Signal | null {
  return tryDecode(coder, bytes)
}
