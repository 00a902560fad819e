import { KeymootError, type ChannelMessage } from "../api.ts"
import {
  BATCH_BYTES_MAX,
  BATCH_MESSAGES_MAX,
  countFitting,
  type BatchMessage,
  type BatchService,
} from "../multicast/index.ts"

/** What an application may have waiting while a key is agreed or a window is closed; beyond this `send` rejects. */
export const OUTBOX_MESSAGES_MAX = 20_000
export const OUTBOX_BYTES_MAX = 16 * 1024 * 1024

/**
 * What the channel made of a message that came back in its place in the order: null for what is no message of a channel;
 * `told` where the application hears of it, and of its request, with the others of the batch.
 */
export type Taken = ChannelMessage | "told" | null

/** What becomes of a message. */
export type Fate = {
  /** The application's, which waits for it; null for what this engine says of its own accord. */
  readonly request: number | null
  readonly delivered: (taken: Taken) => void
  readonly failed: (error: KeymootError) => void
}

export type Outbound = Fate & {
  readonly message: BatchMessage
  readonly service: BatchService
  /** It may wait: whatever else there is goes first. */
  readonly bulk: boolean
}

/** Messages on their way out, in order. */
export class Outbox {
  #waiting: Outbound[] = []
  #bytes = 0

  get empty(): boolean {
    return this.#waiting.length === 0
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

  /** A message that has not left yet; false if it has. */
  withdraw(outbound: Outbound): boolean {
    const index = this.#waiting.indexOf(outbound)
    if (index < 0) return false
    this.#waiting.splice(index, 1)
    this.#bytes -= outbound.message.payload.length
    return true
  }

  /** The first messages, as many of one service as fit into one batch of at most so many bytes; one at least. */
  takeBatch(bytesMax = BATCH_BYTES_MAX): Outbound[] {
    // No more of them are looked at than fit: thousands may wait behind.
    const next = this.#waiting.slice(0, BATCH_MESSAGES_MAX)
    const end = next.findIndex(({ service }) => service !== next[0]!.service)
    const run = end < 0 ? next : next.slice(0, end)
    const messages = run.map(({ message }) => message)
    const batch = this.#waiting.splice(0, countFitting(messages, bytesMax))
    for (const { message } of batch) this.#bytes -= message.payload.length
    return batch
  }

  failAll(error: KeymootError): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    for (const outbound of waiting) outbound.failed(error)
  }
}

export function queueFull(): KeymootError {
  return new KeymootError("queue-full", "Too much is waiting to be sent. Wait until earlier messages are delivered.")
}
