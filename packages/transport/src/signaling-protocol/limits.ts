/**
 * Bounds of the signalling protocol, the same at both ends. A payload beyond its bound is refused with `too-large`
 * and costs only itself; a frame beyond {@link FRAME_BYTES_MAX} ends the connection that sent it.
 */

/** A signed conference descriptor. */
export const DESCRIPTOR_BYTES_MAX = 16 * 1024

/** One message on the emulated bus of a room. */
export const ADVERTISEMENT_BYTES_MAX = 8 * 1024

/** One signed and sealed signal: an SDP with its candidates fits several times. */
export const ENVELOPE_BYTES_MAX = 32 * 1024

/** What either end reads as one frame: the largest payload in base64 with room for its header, so that a payload that is
 * somewhat too large still gets an answer that says so. */
export const FRAME_BYTES_MAX = 128 * 1024

/** The longest that a descriptor is kept after its creation: a year and a day. */
export const CONFERENCE_LIFETIME_MS_MAX = 366 * 24 * 60 * 60 * 1000

/** One frame through the server: four of a link's fragments, within a frame of the connection. */
export const RELAY_FRAME_BYTES_MAX = 64 * 1024

/** What every relayed frame counts besides its bytes, in windows and quotas: a flood of empty ones is a flood too. */
export const RELAY_FRAME_COST_BYTES = 1024

/** Unanswered `relay` requests of one connection to one address, as their bytes and {@link RELAY_FRAME_COST_BYTES} each. */
export const RELAY_PAIR_WINDOW_BYTES = 256 * 1024

/** The same, of one connection to all addresses together. */
export const RELAY_WINDOW_BYTES = 1024 * 1024

/** A `relay` request has its answer after this long in any case; the asking end waits longer. */
export const RELAY_ANSWER_TIMEOUT_MS = 20_000

/** TURN servers in one answer, and characters of one of them and of the name and the password there. */
export const TURN_URLS_MAX = 8
export const TURN_CHARS_MAX = 256

/** A certificate (DER), and the one of its issuer. */
export const CERTIFICATE_BYTES_MAX = 4 * 1024

/** Ed25519, or ECDSA over P-256 as r and s in 32 bytes each. */
export const SIGNATURE_BYTES = 64

/** What a proof of possession signs so that it is fresh. */
export const CHALLENGE_BYTES = 32

/** A challenge is good for one proof, on the connection that asked for it, for this long. */
export const CHALLENGE_LIFETIME_MS = 60_000

/** A participant's name, and a prefix of one, in code points. */
export const NAME_CODE_POINTS_MAX = 60

/** An origin as browsers write it: scheme, host, and the port unless it is the scheme's own. */
export const ORIGIN_CHARS_MAX = 255

/** Fingerprints in the roster of one conference. */
export const ROSTER_MEMBERS_MAX = 256

/** Entries in one page of a list. */
export const PAGE_ENTRIES_MAX = 50

/** Where the next page of a list begins: the server writes it, the client hands it back unread. */
export const CURSOR_CHARS_MAX = 512

/** Characters of an error message; a longer one is not the protocol. */
export const MESSAGE_CHARS_MAX = 300

/** Where the Socket.IO server listens. The path names the version: an incompatible protocol gets another path. */
export const SIGNALING_PATH = "/signaling/v1"
