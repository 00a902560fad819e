/** Every limit of the mesh in one place, each with what happens there. */

/** Members tracked; beyond it the longest unheard one without a connection is forgotten, else the newcomer is ignored. */
export const CONTACTS_MAX = 64
/** Connections that are not up yet; beyond it own attempts wait and offers are dropped (the offerer tries again). */
export const HALF_OPEN_MAX = 16
/** Remote and local candidates per attempt; further ones are dropped. */
export const CANDIDATES_MAX = 64
export const CANDIDATE_CHARACTERS_MAX = 1024
export const SDP_CHARACTERS_MAX = 16_384
/** Certificate in an advertisement or handshake; a larger one does not decode. */
export const CERTIFICATE_BYTES_MAX = 4096
/** A sealed advertisement or signal; a larger one is dropped before anything is computed. */
export const SEALED_BYTES_MAX = 32 * 1024
/** Cached pair keys of signal senders; the least recently used one is forgotten and costs one Diffie-Hellman again. */
export const SENDERS_MAX = 128

/** Signatures awaited at once for one sender, and senders; what comes beyond is dropped and counted. */
export const LANE_TASKS_MAX = 256
export const LANES_MAX = 512

/** Plaintext of one hop frame: larger messages are fragmented, smaller ones share a frame. */
export const FRAME_BYTES_MAX = 16_384
/** One message over a link. Sending more is the caller's error; receiving more ends the link. */
export const MESSAGE_BYTES_MAX = 4 * 1024 * 1024
/** Hop keys move forward by one hash after so many frames, that is after 256 MiB at most. */
export const FRAMES_PER_KEY = 16_384

/** From opening a peer connection to its open channel. */
export const CONNECT_TIMEOUT_MS = 20_000
/** From the open channel to the confirmed association. */
export const ASSOCIATION_TIMEOUT_MS = 10_000
/** An attempt that fails is followed by another after this long, doubled each time up to the maximum, each ±25%. */
export const RETRY_MS = 1_000
export const RETRY_MS_MAX = 60_000
/** A third attempt of one member within this time is dropped; an honest one's retry takes longer, even with its jitter. */
export const OFFER_INTERVAL_MS = 500
/** A member not advertised for so long is offered no new attempt, and after the second figure forgotten. */
export const CONTACT_STALE_MS = 45_000
export const CONTACT_FORGOTTEN_MS = 180_000
/** The shortest time between two hellos to one advertisement of one member. */
export const HELLO_INTERVAL_MS = 3_000
/** Regular advertisements, ±25%; the first ones after an entry come sooner, since the bus may lose them. */
export const ADVERTISE_MS = 15_000
export const ADVERTISE_SOON_MS: readonly number[] = [1_000, 4_000]
/** A refused or unanswered `room-enter` is repeated after this long, with a fresh address. */
export const ENTER_RETRY_MS = 5_000
