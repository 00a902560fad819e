import { equalBytes } from "@noble/ciphers/utils.js"
import type { Control } from "./control.ts"

export type Resume = Extract<Control, { readonly kind: "resume" }>

/**
 * What two members have said to each other, over however many connections: exactly once and in order. A session is named
 * by one nonce of each end; whoever has lost its state has lost its nonce, so the other notices and both begin anew.
 */
export class Pair {
  readonly #own: Uint8Array
  #peer: Uint8Array | null = null
  /** Sent and not acknowledged, the oldest first; numbered from `acked + 1`. */
  #unacked: Uint8Array[] = []
  #unackedBytes = 0
  #acked = 0
  #received = 0
  #told = 0

  /** `nonce`: 16 random bytes, never used before. */
  constructor(nonce: Uint8Array) {
    this.#own = nonce
  }

  /** The first word on a connection. */
  resume(): Resume {
    this.#told = this.#received
    return { kind: "resume", own: this.#own, known: this.#peer, received: this.#received }
  }

  /**
   * The peer's first word on a connection. `begun`: a new session, in which nothing has been said; whatever an older one
   * still held is lost. `bad`: it acknowledges what was never sent.
   */
  handleResume({ own, known, received }: Resume): "begun" | "resumed" | "bad" {
    if (this.#peer !== null && equalBytes(own, this.#peer)) {
      // Otherwise it was written before the peer had heard of our session, and its count is of another.
      const counts = known !== null && equalBytes(known, this.#own)
      return !counts || this.acknowledge(received) ? "resumed" : "bad"
    }
    this.#peer = own
    this.#unacked = []
    this.#unackedBytes = 0
    this.#acked = 0
    this.#received = 0
    this.#told = 0
    return "begun"
  }

  send(message: Uint8Array): void {
    this.#unacked.push(message)
    this.#unackedBytes += message.length
  }

  get unacked(): readonly Uint8Array[] {
    return this.#unacked
  }

  /** Bytes that the peer is not known to hold. */
  get unackedBytes(): number {
    return this.#unackedBytes
  }

  /** Number of the oldest message that is not acknowledged, or of the next one. */
  get next(): number {
    return this.#acked + 1
  }

  /** False for what was never sent. */
  acknowledge(received: number): boolean {
    const count = received - this.#acked
    if (count > this.#unacked.length) return false
    for (const message of this.#unacked.splice(0, Math.max(0, count))) this.#unackedBytes -= message.length
    this.#acked = Math.max(this.#acked, received)
    return true
  }

  /** `new`: to be handed on, now. `gap`: something before it is missing, which no honest peer makes. */
  receive(number: number): "new" | "known" | "gap" {
    if (number <= this.#received) return "known"
    if (number > this.#received + 1) return "gap"
    this.#received = number
    return "new"
  }

  get received(): number {
    return this.#received
  }

  /** What has come since it was last told; null if nothing. */
  ack(): Control | null {
    if (this.#told === this.#received) return null
    this.#told = this.#received
    return { kind: "ack", received: this.#received }
  }
}
