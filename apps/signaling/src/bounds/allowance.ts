import type { RequestName } from "@keymoot/transport/signaling-protocol"
import type { Limits } from "./limits.ts"
import { scaled, TokenBucket } from "./token-bucket.ts"

const STORING: ReadonlySet<RequestName> = new Set<RequestName>([
  "participant:add",
  "participant:remove",
  "conference:create",
  "conference:end",
])

/** The request rates of one connection, or of one network address over all its connections. */
export class Allowance {
  readonly #limits: Limits
  readonly #scale: number
  readonly #storingScale: number
  readonly #all: TokenBucket
  readonly #bytes: TokenBucket
  /** Created lazily: most connections use few kinds of request. */
  readonly #ofKind = new Map<RequestName, TokenBucket>()

  /**
   * @param scale multiplies the rates of a connection
   * @param storingScale multiplies the rates of requests that store something
   */
  constructor(limits: Limits, scale: number, storingScale: number) {
    this.#limits = limits
    this.#scale = scale
    this.#storingScale = storingScale
    const nowMs = performance.now()
    this.#all = new TokenBucket(scaled(limits.requests, scale), nowMs)
    this.#bytes = new TokenBucket(scaled(limits.bytes, scale), nowMs)
  }

  /** Counts a request and returns whether it may pass. `undefined` stands for an unknown kind. */
  take(kind: RequestName | undefined): boolean {
    const nowMs = performance.now()
    if (this.#bytes.balance(nowMs) < 0) return false
    // A busy relay must not keep its connection from the signalling that would replace it by a direct path.
    if (kind !== "relay" && !this.#all.take(nowMs)) return false
    return kind === undefined || this.#bucketOf(kind, nowMs).take(nowMs)
  }

  /** Counts received bytes. While they exceed their rate, `take` refuses. Returns false when they do by a whole burst. */
  receive(byteCount: number): boolean {
    return this.#bytes.spend(performance.now(), byteCount)
  }

  /** Whether all buckets are full, so that this object can be replaced by a new one. */
  isWhole(nowMs: number): boolean {
    return [this.#all, this.#bytes, ...this.#ofKind.values()].every((bucket) => bucket.isFull(nowMs))
  }

  #bucketOf(kind: RequestName, nowMs: number): TokenBucket {
    const scale = STORING.has(kind) ? this.#storingScale : this.#scale
    const known = this.#ofKind.get(kind) ?? new TokenBucket(scaled(this.#limits.requestsOf[kind], scale), nowMs)
    this.#ofKind.set(kind, known)
    return known
  }
}
