/** Bounds of a peer connection's frames, in whichever thread its channel is. */

/** A fall of the buffered bytes by this much is reported. Smaller falls are not, since each event may wake a thread. */
export const BUFFERED_STEP_BYTES = 256 * 1024
/** Frames received from an end that is connected before this one. An honest end sends one handshake message. */
export const EARLY_FRAMES_MAX = 64
