/** Bytes of unstable messages of a view, divided among all senders. */
export const UNSTABLE_BUDGET_BYTES = 16 * 1024 * 1024
/**
 * Upper bound for one sender, also with few senders. Key agreement is exempt: otherwise a full window would block it.
 */
export const UNSTABLE_BYTES_MAX = 4 * 1024 * 1024
export const UNSTABLE_FRAMES_MAX = 1024
/** Lower bound of bytes held of one sender: twice the largest frame. */
export const HELD_BYTES_MIN = 1024 * 1024

/** A sender's window: with more unstable bytes it waits. One message may exceed it by at most its own length. */
export function windowBytes(memberCount: number): number {
  return Math.min(UNSTABLE_BYTES_MAX, Math.floor(UNSTABLE_BUDGET_BYTES / memberCount))
}

/** The window for bulk messages. On a slow link an interactive message queues behind at most this much. */
export function bulkWindowBytes(memberCount: number): number {
  return windowBytes(memberCount) / 8
}

/**
 * Bytes held of one sender above which a frame behind a gap is refused. The next frame in order is accepted up to twice
 * as many. An honest sender has a quarter of it in transit.
 */
export function heldBytesMax(memberCount: number): number {
  return Math.max(HELD_BYTES_MIN, 4 * windowBytes(memberCount))
}
