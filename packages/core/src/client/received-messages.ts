import { MESSAGE_BYTES_MAX } from "../addressed/piece.ts"
import type { ChannelMessage } from "../api/index.ts"
import { messagesOf, type MessageRun } from "../rpc/message-runs.ts"
import { comparePositions, compareText } from "../history/order.ts"

/** Bound on the kept messages of a channel. The oldest are dropped first, whole runs at a time. */
export const RECEIVED_MESSAGES_MAX = 2000
export const RECEIVED_BYTES_MAX = MESSAGE_BYTES_MAX

type Kept = ChannelMessage | MessageRun

/**
 * Received messages of a channel in order: by position in a log, otherwise by arrival. Runs stay encoded, because
 * messages are rarely read again. An object for each message and its bytes would cost the garbage collector more than
 * all other processing of it.
 */
export class ReceivedMessages {
  #kept: Kept[] = []
  /** Ids of a log's messages, because a message that left the engine's log may be transferred again. */
  readonly #logged = new Set<string>()
  #count = 0
  #bytes = 0

  /** Without a log no message arrives out of order. */
  addRun(run: MessageRun): void {
    this.#insert(run, this.#kept.length)
  }

  /** Returns false for a message that is kept already. A delivery moves what a member transferred before it. */
  addLogged(message: ChannelMessage): boolean {
    if (this.#logged.has(message.id) && !this.#dropTransferred(message)) return false
    this.#logged.add(message.id)
    // Searches from the end, because the message is nearly always the newest.
    let at = this.#kept.length
    while (at > 0 && isBehind(this.#kept[at - 1]!, message)) at--
    this.#insert(message, at)
    return true
  }

  get all(): readonly ChannelMessage[] {
    return this.#kept.flatMap((kept) => (isRun(kept) ? messagesOf(kept) : [kept]))
  }

  /** Erases messages of a log. Returns false if none of them is here. */
  erase(ids: ReadonlySet<string>): boolean {
    return this.#drop((kept) => !isRun(kept) && ids.has(kept.id))
  }

  /** Drops messages that did not come from a log. */
  keepLogged(): boolean {
    return this.#drop(isRun)
  }

  #dropTransferred({ id, transferred }: ChannelMessage): boolean {
    return !transferred && this.#drop((kept) => !isRun(kept) && kept.id === id && Boolean(kept.transferred))
  }

  #insert(kept: Kept, at: number): void {
    this.#kept.splice(at, 0, kept)
    this.#count += countOf(kept)
    this.#bytes += bytesOf(kept)
    while (this.#count > RECEIVED_MESSAGES_MAX || this.#bytes > RECEIVED_BYTES_MAX) this.#forget(this.#kept.shift()!)
  }

  #drop(isDropped: (kept: Kept) => boolean): boolean {
    const before = this.#kept
    this.#kept = before.filter((kept) => !isDropped(kept))
    for (const kept of before) if (isDropped(kept)) this.#forget(kept)
    return this.#kept.length < before.length
  }

  #forget(kept: Kept): void {
    this.#count -= countOf(kept)
    this.#bytes -= bytesOf(kept)
    if (!isRun(kept)) this.#logged.delete(kept.id)
  }
}

/** Messages with equal positions (forged, or several of one batch) are ordered by id, as in the engine's log. */
function isBehind(kept: Kept, message: ChannelMessage): boolean {
  if (isRun(kept)) return false
  return (comparePositions(kept.position, message.position) || compareText(kept.id, message.id)) > 0
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
