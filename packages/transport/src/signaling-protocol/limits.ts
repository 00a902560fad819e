/**
 * Bounds of the signalling protocol, equal at both ends. A payload beyond its bound is refused with `too-large` and
 * costs only itself. A frame beyond {@link FRAME_BYTES_MAX} ends the connection that sent it.
 */

/** A signed conference descriptor: room for the names and keys of 128 people. */
export const DESCRIPTOR_BYTES_MAX = 60 * 1024

/** One message on the emulated bus of a room. */
export const ADVERTISEMENT_BYTES_MAX = 8 * 1024

/** One signed and sealed signal: several times the size of an SDP with its candidates. */
export const ENVELOPE_BYTES_MAX = 32 * 1024

/**
 * Maximum of one frame read by either end: the largest payload in base64 with room for its header. So a payload that is
 * somewhat too large still gets an answer that says so.
 */
export const FRAME_BYTES_MAX = 128 * 1024

/** The longest that a descriptor is kept after its creation: a year and a day. */
export const CONFERENCE_LIFETIME_MS_MAX = 366 * 24 * 60 * 60 * 1000

/** One frame through the server: four fragments of a link, within one frame of the connection. */
export const RELAY_FRAME_BYTES_MAX = 64 * 1024

/** Cost of every relayed frame besides its bytes, in windows and quotas: a flood of empty frames is a flood too. */
export const RELAY_FRAME_COST_BYTES = 1024

/**
 * Unanswered `relay` requests of one connection to one address. Each counts its bytes and {@link
 * RELAY_FRAME_COST_BYTES}.
 */
export const RELAY_PAIR_WINDOW_BYTES = 256 * 1024

/** Unanswered `relay` requests of one connection to all addresses together. */
export const RELAY_WINDOW_BYTES = 1024 * 1024

/** A `relay` request is answered within this time in any case. The asking end waits longer. */
export const RELAY_ANSWER_TIMEOUT_MS = 20_000

/** STUN and TURN servers in one answer, and the characters of a URL, a name or a password in it. */
export const STUN_URLS_MAX = 4
export const TURN_URLS_MAX = 8
export const ICE_CHARS_MAX = 256

/** A certificate (DER), and the one of its issuer. */
export const CERTIFICATE_BYTES_MAX = 4 * 1024

/** Ed25519, or ECDSA over P-256 as r and s in 32 bytes each. */
export const SIGNATURE_BYTES = 64

/** The Ed25519 public key that room proofs of a conference verify with. */
export const VERIFIER_BYTES = 32

/** The Ed25519 public key of a conference's creator. */
export const CREATOR_KEY_BYTES = 32

/** An announced end of a conference: two times of eight bytes and a signature. */
export const ANNOUNCED_END_BYTES = 8 + 8 + SIGNATURE_BYTES

/** The bytes that make a proof of possession fresh. */
export const CHALLENGE_BYTES = 32

/** A challenge is valid for one proof, on the connection that requested it, for this long. */
export const CHALLENGE_LIFETIME_MS = 60_000

/** A participant's name, and a prefix of one, in code points. */
export const NAME_CODE_POINTS_MAX = 60

/** An origin as browsers write it: scheme, host, and the port unless it is the scheme's own. */
export const ORIGIN_CHARS_MAX = 255

/**
 * Members of one conference, and fingerprints in its roster, the creator's included. An INSTALL holds a SYNC of each
 * member, with its key agreement attachment, in one message of 4 MiB. Every member verifies all of them and all link
 * records. This many cost less than a second.
 */
export const CONFERENCE_MEMBERS_MAX = 128

/** Entries in one page of a list. */
export const PAGE_ENTRIES_MAX = 50

/** Position of the next page of a list. It is opaque to the client, which sends it back unchanged. */
export const CURSOR_CHARS_MAX = 512

/** Characters of an error message. A longer one violates the protocol. */
export const MESSAGE_CHARS_MAX = 300

/** Path of the Socket.IO server. It names the version: an incompatible protocol gets another path. */
export const SIGNALING_PATH = "/signaling/v1"

/** Prefix of every version's path. A server answers other versions with {@link OTHER_VERSION_STATUS}. */
export const SIGNALING_ROOT = "/signaling/"

/** HTTP status "Upgrade Required". */
export const OTHER_VERSION_STATUS = 426
