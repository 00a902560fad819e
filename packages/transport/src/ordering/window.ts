/** Messages of a view that not every member is known to hold, all senders together: shared out among them. */
export const UNSTABLE_BUDGET_BYTES = 16 * 1024 * 1024
/** Of one sender at most, however few there are. Agreement is exempt, or a full window would keep a key from coming about. */
export const UNSTABLE_BYTES_MAX = 4 * 1024 * 1024
export const UNSTABLE_FRAMES_MAX = 1024
/** Held of one sender at least: twice the largest frame. */
export const HELD_BYTES_MIN = 1024 * 1024

/** A sender's share: with more bytes under way it waits. One message passes it by at most its own length. */
export function windowBytes(memberCount: number): number {
  return Math.min(UNSTABLE_BYTES_MAX, Math.floor(UNSTABLE_BUDGET_BYTES / memberCount))
}

/** The same for what may wait: what is said meanwhile has at most this before it on a slow link. */
export function bulkWindowBytes(memberCount: number): number {
  return windowBytes(memberCount) / 8
}

/**
 * Held of one sender beyond which a frame behind a gap is refused; the next in order still is taken up to twice as many.
 * An honest sender has a quarter of it on its way.
 */
export function heldBytesMax(memberCount: number): number {
  return Math.max(HELD_BYTES_MIN, 4 * windowBytes(memberCount))
}
