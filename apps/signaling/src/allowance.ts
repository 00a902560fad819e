import type { RequestName } from "@keymoot/transport/signaling-protocol"
import type { Limits } from "./limits.ts"
import { type Rate, TokenBucket } from "./token-bucket.ts"

const STORING: ReadonlySet<RequestName> = new Set<RequestName>(["participant:add", "conference:create"])

/** What one connection, or one network address in all its connections, may ask for. */
export class Allowance {
  readonly #limits: Limits
  readonly #scale: number
  readonly #storingScale: number
  readonly #all: TokenBucket
  readonly #bytes: TokenBucket
  /** Made when first used: most connections use few kinds. */
  readonly #ofKind = new Map<RequestName, TokenBucket>()

  /**
   * @param scale multiplies the rates of a connection
   * @param storingScale does so with those of requests that store something
   */
  constructor(limits: Limits, scale: number, storingScale: number) {
    this.#limits = limits
    this.#scale = scale
    this.#storingScale = storingScale
    const nowMs = performance.now()
    this.#all = this.#bucket(limits.requests, nowMs, scale)
    this.#bytes = this.#bucket(limits.bytes, nowMs, scale)
  }

  /** Counts a request of this kind, or of none that there is, and answers whether it may pass. */
  take(kind: RequestName | undefined): boolean {
    const nowMs = performance.now()
    if (this.#bytes.balance(nowMs) < 0) return false
    // A busy relay must not keep its connection from signalling the way out of it.
    if (kind !== "relay" && !this.#all.take(nowMs)) return false
    return kind === undefined || this.#bucketOf(kind, nowMs).take(nowMs)
  }

  /** Counts bytes that have arrived; while they are too many, `take` refuses. */
  receive(byteCount: number): void {
    this.#bytes.spend(performance.now(), byteCount)
  }

  /** Nothing is remembered that a new one would not start with. */
  isWhole(nowMs: number): boolean {
    return [this.#all, this.#bytes, ...this.#ofKind.values()].every((bucket) => bucket.isFull(nowMs))
  }

  #bucketOf(kind: RequestName, nowMs: number): TokenBucket {
    const scale = STORING.has(kind) ? this.#storingScale : this.#scale
    const known = this.#ofKind.get(kind) ?? this.#bucket(this.#limits.requestsOf[kind], nowMs, scale)
    this.#ofKind.set(kind, known)
    return known
  }

  #bucket({ burst, perSecond }: Rate, nowMs: number, scale: number): TokenBucket {
    return new TokenBucket({ burst: burst * scale, perSecond: perSecond * scale }, nowMs)
  }
}
