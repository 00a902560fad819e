import * as v from "valibot"
import {
  ADVERTISEMENT_BYTES_MAX,
  CERTIFICATE_BYTES_MAX,
  CHALLENGE_BYTES,
  DESCRIPTOR_BYTES_MAX,
  ENVELOPE_BYTES_MAX,
  PAGE_ENTRIES_MAX,
  RELAY_FRAME_BYTES_MAX,
  ROSTER_MEMBERS_MAX,
  SIGNATURE_BYTES,
} from "./limits.ts"
import {
  bytes,
  cursor,
  errorMessage,
  exactly,
  hex16,
  hex32,
  namePrefix,
  serverOrigin,
  timeMs,
  turnUrls,
  turnWord,
} from "./schemas.ts"

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
  "relay-window",
  "relay-quota",
  "relay-refused",
  "turn-unavailable",
  "bad-certificate",
  "wrong-origin",
  "bad-proof",
  "not-proved",
  "superseded",
  "unknown-participant",
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

const granted = v.variant("ok", [
  v.strictObject({
    ok: v.literal(true),
    urls: turnUrls,
    username: turnWord,
    credential: turnWord,
    /** From this answer on. Relative, because the two clocks may differ. */
    lifetimeMs: timeMs,
  }),
  failure,
])

const challenged = v.variant("ok", [
  v.strictObject({ ok: v.literal(true), challenge: exactly(CHALLENGE_BYTES) }),
  failure,
])
const certified = v.variant("ok", [
  v.strictObject({ ok: v.literal(true), certificate: bytes(CERTIFICATE_BYTES_MAX) }),
  failure,
])
/** A page of a list; `next` is there while more follow. */
function page<E extends v.GenericSchema>(entry: E) {
  const entries = v.pipe(v.array(entry), v.maxLength(PAGE_ENTRIES_MAX))
  return v.variant("ok", [v.strictObject({ ok: v.literal(true), entries, next: v.exactOptional(cursor) }), failure])
}

const proof = {
  certificate: bytes(CERTIFICATE_BYTES_MAX),
  /** The server's, as the client knows it and signed it. */
  origin: serverOrigin,
  /** Over `possessionBytes`, by the certificate's key. */
  signature: exactly(SIGNATURE_BYTES),
  /** The certificate of the authority that signed it, unless it signed itself. */
  issuer: v.exactOptional(bytes(CERTIFICATE_BYTES_MAX)),
}

/** Who is to take part, for `conference:list`: fingerprints of their certificates, no two equal. */
const roster = v.strictObject({
  members: v.pipe(
    v.array(hex32),
    v.minLength(1),
    v.maxLength(ROSTER_MEMBERS_MAX),
    v.check((members) => new Set(members).size === members.length),
  ),
  startsAtMs: timeMs,
  endsAtMs: timeMs,
})

/**
 * What a client may ask, each answered by exactly one acknowledgement. Descriptors, advertisements and envelopes are
 * opaque to the server. An `address` is 16 random bytes that the client chooses for one entry into one room. It is the
 * server's only name for the client, and deliberately not its member id: whoever watches the server cannot tell from it
 * who entered, nor that the same member entered two rooms or came back.
 */
export const requests = {
  /** Asks for what the next proof of possession on this connection must sign. */
  "participant:challenge": { payload: v.strictObject({}), reply: challenged },
  /** Publishes a certificate until it expires, and proves possession of it as `participant:prove` does. */
  "participant:add": { payload: v.strictObject(proof), reply: done },
  /** Proves possession of a certificate for the rest of this connection, and publishes nothing. */
  "participant:prove": { payload: v.strictObject(proof), reply: done },
  "participant:get": { payload: v.strictObject({ fingerprint: hex32 }), reply: certified },
  /** In the order of their names, whose case is not told apart. */
  "participant:list": {
    payload: v.strictObject({ prefix: namePrefix, after: v.exactOptional(cursor) }),
    reply: page(v.strictObject({ fingerprint: hex32, name: v.string() })),
  },
  /** Stores a descriptor until `expiresAtMs`; an id is taken once. A roster needs a proof of possession before. */
  "conference:create": {
    payload: v.strictObject({
      id: hex16,
      descriptor: bytes(DESCRIPTOR_BYTES_MAX),
      expiresAtMs: timeMs,
      roster: v.exactOptional(roster),
    }),
    reply: done,
  },
  "conference:get": { payload: v.strictObject({ id: hex16 }), reply: found },
  /** Those not over yet whose roster names the certificate that this connection has proved, in the order of their starts. */
  "conference:list": {
    payload: v.strictObject({ after: v.exactOptional(cursor) }),
    reply: page(v.strictObject({ id: hex16, startsAtMs: timeMs, endsAtMs: timeMs, creator: hex32 })),
  },
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
  /**
   * One opaque frame to one address in the room: the last resort of two members whose WebRTC link cannot be made.
   *
   * Order: the frames of one connection to one address reach the other client in the order asked, each at most once.
   *
   * Back-pressure: the answer `ok` comes when the other client has taken the frame, not before; it is the credit for
   * more. Unanswered frames to one address may be `RELAY_PAIR_WINDOW_BYTES`, to all together `RELAY_WINDOW_BYTES`, each
   * counted as its bytes and `RELAY_FRAME_COST_BYTES`; one beyond is refused with `relay-window` and not handed on. A
   * connection that sends faster than the server's rate for it is not refused: its frames wait, so the answers come later.
   * Answers to frames for different addresses overtake each other. `relay` requests wait for no other request, and no other
   * for them; but one behind a `room:enter` or `room:leave` sees its effect.
   *
   * Refusals: `relay-window`; `relay-quota`: this connection or its network address has relayed more than its share,
   * try again in minutes; `unknown-address`: nobody is there now; `relay-refused`: the other client answered
   * `{ taken: false }`, or nothing within `RELAY_ANSWER_TIMEOUT_MS`; and the codes of every request. A frame that is
   * refused for `relay-refused`, or never answered because a server died, may have arrived all the same, and those
   * behind it may arrive without it. So an end numbers its frames inside their opaque bytes, holds the link for broken at
   * the first refusal or time-out, and the other end does at the first gap.
   */
  relay: { payload: v.strictObject({ room: hex16, to: hex16, frame: bytes(RELAY_FRAME_BYTES_MAX) }), reply: done },
  /**
   * Time-limited credentials for the server's TURN servers, for somebody in the room; `turn-unavailable` when it has none.
   * What the client asks for again before `lifetimeMs` has passed goes to new peer connections: old ones keep theirs.
   */
  "turn:credentials": { payload: v.strictObject({ room: hex16 }), reply: granted },
} as const

/** What the server hands on. It fills `from` with the sender's own entry, never with anything the sender wrote. */
export const deliveries = {
  "room:advertise": v.strictObject({ room: hex16, from: hex16, advertisement: bytes(ADVERTISEMENT_BYTES_MAX) }),
  signal: v.strictObject({ room: hex16, from: hex16, envelope: bytes(ENVELOPE_BYTES_MAX) }),
  /**
   * Comes with an acknowledgement, to be answered with a {@link RelayAnswer} once and soon: `{ taken: true }` when there is
   * room for the next frame, `{ taken: false }` when this end has no such link. No answer counts as the latter.
   */
  relay: v.strictObject({ room: hex16, from: hex16, frame: bytes(RELAY_FRAME_BYTES_MAX) }),
} as const

export const relayAnswer = v.strictObject({ taken: v.boolean() })
export type RelayAnswer = v.InferOutput<typeof relayAnswer>

/** Why the server is about to close a connection. */
export const goodbyeCodes = ["too-slow", "flooding", "shutting-down"] as const
export type GoodbyeCode = (typeof goodbyeCodes)[number]

/** What the server says on its own account. Which connection it closes needs no authority: it could cut any. */
export const notices = {
  goodbye: v.strictObject({ code: v.picklist(goodbyeCodes), message: errorMessage }),
} as const
export type Goodbye = v.InferOutput<typeof notices.goodbye>

export type RequestName = keyof typeof requests
export type Request<N extends RequestName> = v.InferOutput<(typeof requests)[N]["payload"]>
export type Reply<N extends RequestName> = v.InferOutput<(typeof requests)[N]["reply"]>

export type DeliveryName = keyof typeof deliveries
export type Delivery<N extends DeliveryName> = v.InferOutput<(typeof deliveries)[N]>

/** Event maps for Socket.IO. They describe an honest other side: both ends still parse whatever arrives. */
export type ClientToServerEvents = {
  [N in RequestName]: (request: Request<N>, acknowledge: (reply: Reply<N>) => void) => void
}
export type ServerToClientEvents = {
  [N in Exclude<DeliveryName, "relay">]: (delivery: Delivery<N>) => void
} & {
  relay: (delivery: Delivery<"relay">, acknowledge: (answer: RelayAnswer) => void) => void
  goodbye: (goodbye: Goodbye) => void
}
