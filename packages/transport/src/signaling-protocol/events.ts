import * as v from "valibot"
import { ADVERTISEMENT_BYTES_MAX, DESCRIPTOR_BYTES_MAX, ENVELOPE_BYTES_MAX } from "./limits.ts"
import { bytes, errorMessage, hex16, timeMs } from "./schemas.ts"

/**
 * Why the server refused. A client decides by the code; the message is for a developer's eyes and must not be shown as if
 * the application had written it, because the server is not trusted to write to people.
 */
export const errorCodes = [
  "bad-request",
  "too-large",
  "rate-limited",
  "unknown-conference",
  "conference-exists",
  "address-taken",
  "room-full",
  "too-many-rooms",
  "not-in-room",
  "unknown-address",
  "storage-full",
  "storage-failed",
] as const
export type ErrorCode = (typeof errorCodes)[number]

const failure = v.strictObject({ ok: v.literal(false), code: v.picklist(errorCodes), message: errorMessage })
export type Failure = v.InferOutput<typeof failure>

const done = v.variant("ok", [v.strictObject({ ok: v.literal(true) }), failure])
const found = v.variant("ok", [
  v.strictObject({ ok: v.literal(true), descriptor: bytes(DESCRIPTOR_BYTES_MAX) }),
  failure,
])

/**
 * What a client may ask, each answered by exactly one acknowledgement. Descriptors, advertisements and envelopes are
 * opaque to the server. An `address` is 16 random bytes that the client chooses for one entry into one room. It is the
 * server's only name for the client, and deliberately not its member id: whoever watches the server cannot tell from it
 * who entered, nor that the same member entered two rooms or came back.
 */
export const requests = {
  /** Stores a descriptor until `expiresAtMs`; an id is taken once. */
  "conference:create": {
    payload: v.strictObject({ id: hex16, descriptor: bytes(DESCRIPTOR_BYTES_MAX), expiresAtMs: timeMs }),
    reply: done,
  },
  "conference:get": { payload: v.strictObject({ id: hex16 }), reply: found },
  /** Takes part in a conference's room. Entering again under another address gives the former one up. */
  "room:enter": { payload: v.strictObject({ room: hex16, address: hex16 }), reply: done },
  "room:leave": { payload: v.strictObject({ room: hex16 }), reply: done },
  /** The emulated bus of neighbour discovery: goes to everybody else in the room. */
  "room:advertise": {
    payload: v.strictObject({ room: hex16, advertisement: bytes(ADVERTISEMENT_BYTES_MAX) }),
    reply: done,
  },
  /** Goes to one address in the room. Acknowledged when it was handed on, which says nothing of its arrival. */
  signal: {
    payload: v.strictObject({ room: hex16, to: hex16, envelope: bytes(ENVELOPE_BYTES_MAX) }),
    reply: done,
  },
} as const

/** What the server hands on. It fills `from` with the sender's own entry, never with anything the sender wrote. */
export const deliveries = {
  "room:advertise": v.strictObject({ room: hex16, from: hex16, advertisement: bytes(ADVERTISEMENT_BYTES_MAX) }),
  signal: v.strictObject({ room: hex16, from: hex16, envelope: bytes(ENVELOPE_BYTES_MAX) }),
} as const

export type RequestName = keyof typeof requests
export type Request<N extends RequestName> = v.InferOutput<(typeof requests)[N]["payload"]>
export type Reply<N extends RequestName> = v.InferOutput<(typeof requests)[N]["reply"]>

export type DeliveryName = keyof typeof deliveries
export type Delivery<N extends DeliveryName> = v.InferOutput<(typeof deliveries)[N]>

/** Event maps for Socket.IO. They describe an honest other side: both ends still parse whatever arrives. */
export type ClientToServerEvents = {
  [N in RequestName]: (request: Request<N>, acknowledge: (reply: Reply<N>) => void) => void
}
export type ServerToClientEvents = { [N in DeliveryName]: (delivery: Delivery<N>) => void }
