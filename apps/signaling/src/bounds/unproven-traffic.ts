import { type Rate, TokenBucket } from "./token-bucket.ts"

/** Rooms with a remembered rate. Beyond, unproven clients of further rooms are refused. */
const ROOMS_MAX = 10_000

/**
 * The rate of unproven clients' messages to each room. Each message costs every member a MAC, so all unproven clients
 * of a room share one rate.
 */
export class UnprovenTraffic {
  readonly #rate: Rate
  readonly #rooms = new Map<string, TokenBucket>()

  constructor(rate: Rate) {
    this.#rate = rate
  }

  /** Counts one message to the room and returns whether it may pass. */
  take(room: string): boolean {
    const nowMs = performance.now()
    const known = this.#rooms.get(room)
    if (known !== undefined) return known.take(nowMs)
    if (this.#rooms.size >= ROOMS_MAX) {
      for (const [other, bucket] of this.#rooms) if (bucket.isFull(nowMs)) this.#rooms.delete(other)
    }
    if (this.#rooms.size >= ROOMS_MAX) return false
    const bucket = new TokenBucket(this.#rate, nowMs)
    this.#rooms.set(room, bucket)
    return bucket.take(nowMs)
  }
}
