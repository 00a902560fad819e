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

/** Characters of an error message; a longer one is not the protocol. */
export const MESSAGE_CHARS_MAX = 300

/** Where the Socket.IO server listens. The path names the version: an incompatible protocol gets another path. */
export const SIGNALING_PATH = "/signaling/v1"
