import type { Sink, View } from "@keymoot/transport"
import { KeymootError, type ChannelMessage } from "../api/index.ts"
import {
  BATCH_BYTES_MAX,
  BATCH_MESSAGES_MAX,
  countFitting,
  type BatchMessage,
  type BatchService,
} from "../multicast/batch.ts"

/** Bound of the application's messages that wait for a key or a window. Beyond it `send` rejects. */
export const OUTBOX_MESSAGES_MAX = 20_000
export const OUTBOX_BYTES_MAX = 16 * 1024 * 1024

/**
 * A channel's reading of an own message that was delivered in order: null if it is no channel message. `notified` means
 * that the application is notified of it and of its request together with the batch.
 */
export type OwnDelivery = ChannelMessage | "notified" | null

export type SendOutcome = { readonly request: number | null } & (
  | { readonly type: "delivered"; readonly taken: OwnDelivery }
  | { readonly type: "failed"; readonly error: KeymootError }
)

/** `request`: number of the application's request; null for a message that the engine sends by itself. */
export type Requester = { readonly request: number | null; readonly outcome: Sink<SendOutcome> }

export type Outbound = Requester & {
  readonly message: BatchMessage
  readonly service: BatchService
  /** Low priority: all other messages go first. */
  readonly bulk: boolean
  /** Whether the message may be sent in a view. In any by default. */
  readonly permission?: ((view: View) => Permission) | undefined
}

/** later: the message waits for another view. An error: the message fails with it. */
export type Permission = "now" | "later" | KeymootError

/** FIFO queue of outgoing messages. */
export class Outbox {
  #waiting: Outbound[] = []
  #bytes = 0

  get length(): number {
    return this.#waiting.length
  }

  get bytes(): number {
    return this.#bytes
  }

  /** @throws KeymootError `queue-full` */
  push(outbound: Outbound): void {
    const bytes = this.#bytes + outbound.message.payload.length
    if (this.#waiting.length >= OUTBOX_MESSAGES_MAX || bytes > OUTBOX_BYTES_MAX) {
      throw queueFull()
    }
    this.#waiting.push(outbound)
    this.#bytes = bytes
  }

  /** Removes a message that is not sent yet. Returns false if it is already sent. */
  withdraw(outbound: Outbound): boolean {
    const index = this.#waiting.indexOf(outbound)
    if (index < 0) return false
    this.#waiting.splice(index, 1)
    this.#bytes -= outbound.message.payload.length
    return true
  }

  /**
   * Takes the first messages of one service that may be sent in the view and fit into a batch of `bytesMax` bytes. It takes
   * at least one, if any may be sent. Messages that must not be sent fail. Those that wait for another view hold up no
   * others.
   */
  takeBatch(view: View, bytesMax = BATCH_BYTES_MAX): Outbound[] {
    const next: Outbound[] = []
    const refused = new Map<Outbound, KeymootError>()
    for (const outbound of this.#waiting) {
      // Looks at no more messages than fit into a batch: thousands may follow.
      if (next.length === BATCH_MESSAGES_MAX || (next[0] && outbound.service !== next[0].service)) break
      const permission = outbound.permission?.(view) ?? "now"
      if (permission === "now") next.push(outbound)
      else if (permission !== "later") refused.set(outbound, permission)
    }
    const count = countFitting(
      next.map(({ message }) => message),
      bytesMax,
    )
    const batch = next.slice(0, count)
    this.#remove([...refused.keys(), ...batch])
    for (const [outbound, error] of refused) fail(outbound, error)
    return batch
  }

  #remove(taken: readonly Outbound[]): void {
    for (const { message } of taken) this.#bytes -= message.payload.length
    const set = new Set(taken)
    // Usually they are the first ones.
    if (this.#waiting.slice(0, taken.length).every((each) => set.has(each))) this.#waiting.splice(0, taken.length)
    else this.#waiting = this.#waiting.filter((each) => !set.has(each))
  }

  failAll(error: KeymootError): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    for (const outbound of waiting) fail(outbound, error)
  }
}

export function fail({ outcome, request }: Requester, error: KeymootError): void {
  outcome.take({ type: "failed", request, error })
}

/** In the turn in which the group delivers it. */
export function deliver({ outcome, request }: Requester, taken: OwnDelivery): void {
  outcome.take({ type: "delivered", request, taken })
}

export function closedError(): KeymootError {
  return new KeymootError("closed", "You are no longer in this conference. Join it again to send.")
}

export function queueFull(): KeymootError {
  return new KeymootError("queue-full", "The send queue is full. Wait until earlier messages are delivered.")
}
