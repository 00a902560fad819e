import { MESSAGE_BYTES_MAX } from "../addressed/index.ts"
import type { ChannelMessage } from "../api.ts"
import { messagesOf, type MessageRun } from "../engine/message-runs.ts"

/** Messages kept for late subscribers; the oldest go first, those of one run together. */
export const REPLAY_MESSAGES_MAX = 2000
export const REPLAY_BYTES_MAX = MESSAGE_BYTES_MAX

type Kept = ChannelMessage | MessageRun

/**
 * What a channel has received, for whoever subscribes late. Runs are kept as they came: an object for each message and its
 * bytes, which mostly nobody asks for again, cost the collector more than all else that is done with a message.
 */
export class ReceivedMessages {
  #kept: Kept[] = []
  #count = 0
  #bytes = 0

  add(kept: Kept): void {
    this.#kept.push(kept)
    this.#count += countOf(kept)
    this.#bytes += bytesOf(kept)
    while (this.#count > REPLAY_MESSAGES_MAX || this.#bytes > REPLAY_BYTES_MAX) {
      const oldest = this.#kept.shift()!
      this.#count -= countOf(oldest)
      this.#bytes -= bytesOf(oldest)
    }
  }

  get all(): readonly ChannelMessage[] {
    return this.#kept.flatMap((kept) => (isRun(kept) ? messagesOf(kept) : [kept]))
  }

  /** Only messages of a history are erased, which come one by one. */
  erase(ids: ReadonlySet<string>): void {
    const left = this.#kept.filter((kept) => isRun(kept) || !ids.has(kept.id))
    this.#kept = []
    this.#count = this.#bytes = 0
    for (const kept of left) this.add(kept)
  }
}

function isRun(kept: Kept): kept is MessageRun {
  return "lengths" in kept
}

function countOf(kept: Kept): number {
  return isRun(kept) ? kept.lengths.length : 1
}

function bytesOf(kept: Kept): number {
  return isRun(kept) ? kept.bytes.length : kept.data.length
}
