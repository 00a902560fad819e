import { equalBytes } from "@noble/ciphers/utils.js"
import { UNDER_WAY_COMPARED_MAX } from "../../bounds/network-bounds.ts"
import type { Control } from "../messages/control.ts"

/**
 * The nonce of one end's session: its number in 8 bytes, then random ones. Numbers ascend within an incarnation, so the
 * other end can tell a later session from an earlier one, whichever of two connections shows it first.
 * @param random 8 bytes
 */
export function sessionNonce(number: number, random: Uint8Array): Uint8Array {
  const nonce = new Uint8Array(16)
  new DataView(nonce.buffer).setBigUint64(0, BigInt(number))
  nonce.set(random, 8)
  return nonce
}

const numberOf = (nonce: Uint8Array) => new DataView(nonce.buffer, nonce.byteOffset).getBigUint64(0)

export type Resume = Extract<Control, { readonly kind: "resume" }>

/**
 * A session of exactly-once, ordered delivery between two members over any number of connections. One nonce of each end
 * names it. An end that has lost its state has a later nonce, so the other end notices and both start a new session.
 * Each end only ever moves on to later nonces. So no session is entered twice, and both ends count it from zero.
 */
export class ReliableSession {
  readonly #own: Uint8Array
  #peer: Uint8Array | null = null
  /** Retransmission buffer: sent and not acknowledged, oldest first, numbered from `acked + 1`. */
  #unacked: Uint8Array[] = []
  #unackedBytes = 0
  #acked = 0
  #received = 0
  #acknowledged = 0

  /** `nonce`: see `sessionNonce`. */
  constructor(nonce: Uint8Array) {
    this.#own = nonce
  }

  /** The first message on each connection. */
  resume(): Resume {
    this.#acknowledged = this.#received
    return { kind: "resume", own: this.#own, known: this.#peer, received: this.#received }
  }

  /**
   * Handles the peer's first message on a connection. `begun`: a new session starts, and unacknowledged messages of an
   * older one are lost. `former`: the peer has given this session up, and its connection. `bad`: the peer acknowledges
   * messages that were never sent.
   */
  handleResume({ own, known, received }: Resume): "begun" | "resumed" | "former" | "bad" {
    if (this.#peer !== null && equalBytes(own, this.#peer)) {
      // Otherwise the peer wrote this before it knew our session, and its count belongs to another session.
      const counts = known !== null && equalBytes(known, this.#own)
      return !counts || this.acknowledge(received) ? "resumed" : "bad"
    }
    if (this.#peer !== null && numberOf(own) < numberOf(this.#peer)) return "former"
    this.#peer = own
    this.#unacked = []
    this.#unackedBytes = 0
    this.#acked = 0
    this.#received = 0
    this.#acknowledged = 0
    return "begun"
  }

  send(message: Uint8Array): void {
    this.#unacked.push(message)
    this.#unackedBytes += message.length
  }

  get unacked(): readonly Uint8Array[] {
    return this.#unacked
  }

  /** Bytes that the peer has not acknowledged. */
  get unackedBytes(): number {
    return this.#unackedBytes
  }

  /** Whether the message is among the oldest unacknowledged ones. Most messages differ at their end, so that is first. */
  isUnderWay(message: Uint8Array): boolean {
    const oldest = this.#unacked.slice(0, UNDER_WAY_COMPARED_MAX)
    return oldest.some(
      (each) => each.length === message.length && each.findLastIndex((byte, at) => byte !== message[at]) < 0,
    )
  }

  /** Number of the oldest unacknowledged message, or of the next message if all are acknowledged. */
  get next(): number {
    return this.#acked + 1
  }

  /** Returns false if the peer acknowledges messages that were never sent. */
  acknowledge(received: number): boolean {
    const count = received - this.#acked
    if (count > this.#unacked.length) return false
    for (const message of this.#unacked.splice(0, Math.max(0, count))) this.#unackedBytes -= message.length
    this.#acked = Math.max(this.#acked, received)
    return true
  }

  /** `new`: deliver it now. `gap`: an earlier message is missing, which an honest peer never causes. */
  receive(number: number): "new" | "known" | "gap" {
    if (number <= this.#received) {
      // The peer lacks its acknowledgement, which may be lost with a connection.
      this.#acknowledged = -1
      return "known"
    }
    if (number > this.#received + 1) return "gap"
    this.#received = number
    return "new"
  }

  get received(): number {
    return this.#received
  }

  /** The acknowledgement of what has come since the last one, new or again, or null if nothing has. */
  ack(): Control | null {
    if (this.#acknowledged === this.#received) return null
    this.#acknowledged = this.#received
    return { kind: "ack", received: this.#received }
  }
}
