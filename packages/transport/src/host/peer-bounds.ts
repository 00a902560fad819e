/** Bounds that hold for a peer connection's frames in whatever thread its channel is. */

/** What a link has in it is told when it is so much less than whoever sends must take it for: each event may wake a thread. */
export const BUFFERED_STEP_BYTES = 256 * 1024
/** Frames from an end that is connected before this one is told; an honest one sends one handshake message. */
export const EARLY_FRAMES_MAX = 64
