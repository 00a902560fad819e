import * as v from "valibot"
import {
  ADVERTISEMENT_BYTES_MAX,
  ANNOUNCED_END_BYTES,
  CERTIFICATE_BYTES_MAX,
  CHALLENGE_BYTES,
  CONFERENCE_MEMBERS_MAX,
  CREATOR_KEY_BYTES,
  DESCRIPTOR_BYTES_MAX,
  ENVELOPE_BYTES_MAX,
  PAGE_ENTRIES_MAX,
  RELAY_FRAME_BYTES_MAX,
  SIGNATURE_BYTES,
  VERIFIER_BYTES,
} from "./limits.ts"
import {
  bytes,
  cursor,
  endText,
  errorMessage,
  exactly,
  hex16,
  hex32,
  namePrefix,
  serverOrigin,
  stunUrls,
  timeMs,
  turnUrls,
  turnWord,
} from "./schemas.ts"

/**
 * The server's reasons for a refusal. A client decides by the code. The message is for developers. It must not be shown
 * as if the application had written it, since the server is not trusted to address users.
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
  v.strictObject({
    ok: v.literal(true),
    descriptor: bytes(DESCRIPTOR_BYTES_MAX),
    /** As in `conference:end`, in hex: a packet to a client has one attachment. None if there is no end. */
    end: v.exactOptional(endText),
  }),
  failure,
])

const turn = v.strictObject({
  urls: turnUrls,
  username: turnWord,
  credential: turnWord,
  /** Counted from this answer. Relative, because the two clocks may differ. */
  lifetimeMs: timeMs,
})
const granted = v.variant("ok", [
  v.strictObject({ ok: v.literal(true), stun: stunUrls, turn: v.exactOptional(turn) }),
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
/** A page of a list. `next` is present while more follow. */
function page<E extends v.GenericSchema>(entry: E) {
  const entries = v.pipe(v.array(entry), v.maxLength(PAGE_ENTRIES_MAX))
  return v.variant("ok", [v.strictObject({ ok: v.literal(true), entries, next: v.exactOptional(cursor) }), failure])
}

const proof = {
  certificate: bytes(CERTIFICATE_BYTES_MAX),
  /** The server's origin, as the client knows it and signed it. */
  origin: serverOrigin,
  /** Signature of `possessionBytes` by the certificate's key. */
  signature: exactly(SIGNATURE_BYTES),
  /** The certificate of the issuing authority, unless it is self-signed. */
  issuer: v.exactOptional(bytes(CERTIFICATE_BYTES_MAX)),
}

/** The participants of a conference, for `conference:list`: fingerprints of their certificates, all different. */
const roster = v.strictObject({
  members: v.pipe(
    v.array(hex32),
    v.minLength(1),
    v.maxLength(CONFERENCE_MEMBERS_MAX),
    v.check((members) => new Set(members).size === members.length),
  ),
  startsAtMs: timeMs,
  endsAtMs: timeMs,
})

/**
 * Requests of a client, each answered by exactly one acknowledgement. Descriptors, advertisements and envelopes are
 * opaque to the server.
 *
 * An `address` is 16 random bytes that the client chooses for one entry into one room. It is the server's only name for
 * the client, and deliberately not its member id. So an observer of the server learns neither who entered, nor that the
 * same member entered two rooms or returned.
 */
export const requests = {
  /** Requests the challenge for the next proof of possession on this connection. */
  "participant:challenge": { payload: v.strictObject({}), reply: challenged },
  /** Publishes a certificate until it expires, and proves possession of it as `participant:prove` does. */
  "participant:add": { payload: v.strictObject(proof), reply: done },
  /** Proves possession of a certificate for the rest of this connection, and publishes nothing. */
  "participant:prove": { payload: v.strictObject(proof), reply: done },
  /** Withdraws the published certificate of the proved identity, whichever certificate of it that is. */
  "participant:remove": { payload: v.strictObject(proof), reply: done },
  "participant:get": { payload: v.strictObject({ fingerprint: hex32 }), reply: certified },
  /** Sorted by name, case-insensitively. */
  "participant:list": {
    payload: v.strictObject({ prefix: namePrefix, after: v.exactOptional(cursor) }),
    reply: page(v.strictObject({ fingerprint: hex32, name: v.string() })),
  },
  /**
   * Stores a descriptor until `expiresAtMs`. Each id can be stored once. A roster requires a proof of possession first.
   */
  "conference:create": {
    payload: v.strictObject({
      id: hex16,
      descriptor: bytes(DESCRIPTOR_BYTES_MAX),
      expiresAtMs: timeMs,
      /** Public key of the room's proofs. Without one, every client in the room is unproven. */
      verifier: v.exactOptional(exactly(VERIFIER_BYTES)),
      /** Public key of the creator. Without one, nobody can announce an end. */
      creatorKey: v.exactOptional(exactly(CREATOR_KEY_BYTES)),
      roster: v.exactOptional(roster),
    }),
    reply: done,
  },
  "conference:get": { payload: v.strictObject({ id: hex16 }), reply: found },
  /**
   * Announces the conference's end to people outside, as `encodeAnnouncedEnd` writes it. The server keeps the latest
   * one that the creator has signed.
   *
   * - `bad-proof`: the creator has not signed it for this conference, or the conference has no `creatorKey`.
   * - `superseded`: the creator has announced an end later.
   */
  "conference:end": { payload: v.strictObject({ id: hex16, end: exactly(ANNOUNCED_END_BYTES) }), reply: done },
  /**
   * Conferences that are not over and whose roster names the certificate proved on this connection, sorted by start.
   */
  "conference:list": {
    payload: v.strictObject({ after: v.exactOptional(cursor) }),
    reply: page(v.strictObject({ id: hex16, startsAtMs: timeMs, endsAtMs: timeMs, creator: hex32 })),
  },
  /**
   * Enters a conference's room. Entering again under another address gives up the former one. The proof, over
   * `roomProofBytes`, shows that the client holds the invitation. Without it the client gets one of the few unproven
   * places.
   */
  "room:enter": {
    payload: v.strictObject({ room: hex16, address: hex16, proof: v.exactOptional(exactly(SIGNATURE_BYTES)) }),
    reply: done,
  },
  "room:leave": { payload: v.strictObject({ room: hex16 }), reply: done },
  /** The emulated bus of neighbour discovery: delivered to every other client in the room. */
  "room:advertise": {
    payload: v.strictObject({ room: hex16, advertisement: bytes(ADVERTISEMENT_BYTES_MAX) }),
    reply: done,
  },
  /**
   * Delivered to one address in the room. The acknowledgement says that the server forwarded it, not that it arrived.
   */
  signal: {
    payload: v.strictObject({ room: hex16, to: hex16, envelope: bytes(ENVELOPE_BYTES_MAX) }),
    reply: done,
  },
  /**
   * One opaque frame to one address in the room: the last resort of two members whose WebRTC link cannot be made.
   *
   * Order: the frames of one connection to one address reach the other client in the order sent, each at most once.
   *
   * Backpressure: the answer `ok` comes after the other client has accepted the frame, and is the credit for more.
   * Unanswered frames to one address may be `RELAY_PAIR_WINDOW_BYTES`, to all together `RELAY_WINDOW_BYTES`. Each
   * counts as its bytes and `RELAY_FRAME_COST_BYTES`. A frame beyond that is refused with `relay-window` and not
   * forwarded. So is one beyond the server's bound for all connections of one network address, which a client cannot
   * foresee.
   *
   * Rate: a connection that exceeds the server's is not refused. Its frames wait, so the answers come later.
   *
   * Concurrency: answers to frames for different addresses overtake each other. `relay` requests wait for no other
   * request, and no other for them. But one after a `room:enter` or `room:leave` sees its effect.
   *
   * Refusals, besides the codes of every request:
   * - `relay-window`: see above.
   * - `relay-quota`: this connection or its network address has relayed more than its share. Retry in minutes.
   * - `unknown-address`: no client has this address now.
   * - `relay-refused`: the other client answered `{ taken: false }`, or nothing within `RELAY_ANSWER_TIMEOUT_MS`. Or it
   *   has this address, but no process of the server reaches it now.
   * - `storage-failed`: no process reached it, and the server could not look up whether it has this address.
   *
   * A frame refused with `relay-refused`, or never answered because a server died, may have arrived all the same.
   * Frames after it may arrive without it. So an end numbers its frames inside their opaque bytes. It treats the link
   * as broken at the first refusal or timeout, and the other end does at the first gap.
   */
  relay: { payload: v.strictObject({ room: hex16, to: hex16, frame: bytes(RELAY_FRAME_BYTES_MAX) }), reply: done },
  /**
   * The servers for ICE, for a client in the room: URLs of STUN servers, and credentials for the server's TURN servers
   * if it has any. Credentials requested again before `lifetimeMs` has passed serve new peer connections.
   * Old connections keep theirs.
   */
  "ice:servers": { payload: v.strictObject({ room: hex16 }), reply: granted },
} as const

/** Deliveries of the server. It sets `from` to the sender's own entry, never to anything that the sender wrote. */
export const deliveries = {
  "room:advertise": v.strictObject({ room: hex16, from: hex16, advertisement: bytes(ADVERTISEMENT_BYTES_MAX) }),
  signal: v.strictObject({ room: hex16, from: hex16, envelope: bytes(ENVELOPE_BYTES_MAX) }),
  /**
   * Delivered with an acknowledgement that expects one {@link RelayAnswer} soon. `{ taken: true }` means that there is
   * room for the next frame. `{ taken: false }` means that this end has no such link. No answer counts as the latter.
   */
  relay: v.strictObject({ room: hex16, from: hex16, frame: bytes(RELAY_FRAME_BYTES_MAX) }),
} as const

export const relayAnswer = v.strictObject({ taken: v.boolean() })
export type RelayAnswer = v.InferOutput<typeof relayAnswer>

/** The server's reasons for closing a connection. */
export const goodbyeCodes = ["too-slow", "flooding", "shutting-down"] as const
export type GoodbyeCode = (typeof goodbyeCodes)[number]

/** Notices of the server itself. Closing a connection needs no authority: the server can cut any. */
export const notices = {
  goodbye: v.strictObject({ code: v.picklist(goodbyeCodes), message: errorMessage }),
} as const
export type Goodbye = v.InferOutput<typeof notices.goodbye>

export type RequestName = keyof typeof requests
export type Request<N extends RequestName> = v.InferOutput<(typeof requests)[N]["payload"]>
export type Reply<N extends RequestName> = v.InferOutput<(typeof requests)[N]["reply"]>

export type DeliveryName = keyof typeof deliveries
export type Delivery<N extends DeliveryName> = v.InferOutput<(typeof deliveries)[N]>

/** Event maps for Socket.IO. They describe an honest other side. Both ends still parse whatever arrives. */
export type ClientToServerEvents = {
  [N in RequestName]: (request: Request<N>, acknowledge: (reply: Reply<N>) => void) => void
}
export type ServerToClientEvents = {
  [N in Exclude<DeliveryName, "relay">]: (delivery: Delivery<N>) => void
} & {
  relay: (delivery: Delivery<"relay">, acknowledge: (answer: RelayAnswer) => void) => void
  goodbye: (goodbye: Goodbye) => void
}
