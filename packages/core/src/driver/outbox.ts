import type { MemberId } from "@keymoot/transport"
import { KeymootError, type ChannelMessage } from "../api/index.ts"
import {
  BATCH_BYTES_MAX,
  BATCH_MESSAGES_MAX,
  countFitting,
  type BatchMessage,
  type BatchService,
} from "../multicast/index.ts"

/** Bound of the application's messages that wait for a key or a window. Beyond it `send` rejects. */
export const OUTBOX_MESSAGES_MAX = 20_000
export const OUTBOX_BYTES_MAX = 16 * 1024 * 1024

/**
 * A channel's reading of an own message that was delivered in order: null if it is no channel message. `notified` means
 * that the application is notified of it and of its request together with the batch.
 */
export type Taken = ChannelMessage | "notified" | null

/** Outcome callbacks of a message. */
export type SendCallbacks = {
  /** Request number of the application; null for a message that the engine sends by itself. */
  readonly request: number | null
  readonly delivered: (taken: Taken) => void
  readonly failed: (error: KeymootError) => void
}

export type Outbound = SendCallbacks & {
  readonly message: BatchMessage
  readonly service: BatchService
  /** Low priority: all other messages go first. */
  readonly bulk: boolean
  /** Views in which the message may be sent: those whose members are all readers. Any view by default. */
  readonly readers?: ReadonlySet<MemberId> | undefined
}

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
   * Takes the first messages of one service that fit into a batch of `bytesMax` bytes. It takes at least one, if any
   * may be sent among these members. Messages that may no longer be sent fail on the way.
   */
  takeBatch(members: readonly MemberId[], bytesMax = BATCH_BYTES_MAX): Outbound[] {
    // Looks at no more messages than fit into a batch: thousands may follow.
    const next = this.#waiting.slice(0, BATCH_MESSAGES_MAX)
    const withheld = next.filter(({ readers }) => readers && !members.every((member) => readers.has(member)))
    if (withheld.length > 0) {
      for (const outbound of withheld) this.withdraw(outbound)
      for (const { failed } of withheld) failed(unseenReaders())
      return this.takeBatch(members, bytesMax)
    }
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

function unseenReaders(): KeymootError {
  return new KeymootError(
    "unseen-readers",
    "Somebody joined before this was sent. Look who is here, and send it again.",
  )
}
