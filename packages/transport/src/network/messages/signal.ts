import * as P from "micro-packed"
import { CANDIDATE_CHARACTERS_MAX, OPENING_BYTES_MAX, SDP_CHARACTERS_MAX } from "../../bounds/network-bounds.ts"
import { card, type RoomCard } from "./room-card.ts"
import { safeInteger, tryDecode } from "../../wire/codec.ts"

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
const opening = P.validate(P.bytes(P.U16BE), (value) => {
  if (value.length > OPENING_BYTES_MAX) throw new RangeError("longer than its bound")
  return value
})
const relay = P.struct({ attempt: safeInteger, opening })
const neighbour = P.struct({ bytes: P.bytes(null) })
const body = P.mappedTag(P.U8, {
  hello: [1, card],
  description: [2, description],
  candidate: [3, candidate],
  relay: [4, relay],
  neighbour: [5, neighbour],
})

export function encodeSignal(signal: Signal): Uint8Array {
  switch (signal.kind) {
    case "hello":
      return body.encode({ TAG: "hello", data: signal.card })
    case "description":
      return body.encode({ TAG: "description", data: signal })
    case "neighbour":
      return body.encode({ TAG: "neighbour", data: { bytes: signal.bytes } })
    case "relay":
      return body.encode({ TAG: "relay", data: signal })
    case "candidate":
      return body.encode({
        TAG: "candidate",
        data: { ...signal, sdpMid: signal.sdpMid ?? undefined, sdpMLineIndex: signal.sdpMLineIndex ?? undefined },
      })
  }
}

export function decodeSignal(bytes: Uint8Array): Signal | null {
  const decoded = tryDecode(body, bytes)
  if (decoded === null) return null
  switch (decoded.TAG) {
    case "hello":
      return { kind: "hello", card: decoded.data }
    case "description":
      return { kind: "description", ...decoded.data }
    case "neighbour":
      return { kind: "neighbour", ...decoded.data }
    case "relay":
      return { kind: "relay", ...decoded.data }
    case "candidate":
      return {
        kind: "candidate",
        ...decoded.data,
        sdpMid: decoded.data.sdpMid ?? null,
        sdpMLineIndex: decoded.data.sdpMLineIndex ?? null,
      }
  }
}
