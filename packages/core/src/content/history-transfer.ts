import { LOG_CHANNEL, MessageKind } from "../multicast/message-kind.ts"
import type { Sending } from "./sending.ts"

/** Retry delay of a piece of history that found the queue full. */
const QUEUE_FULL_MS = 250

/** Sends the log to newcomers piece by piece, so that it does not delay new messages. */
export class HistoryTransfer {
  readonly #sending: Sending
  #turn = 0
  #running = 0

  constructor(sending: Sending) {
    this.#sending = sending
  }

  /** Sends all pieces. A later call replaces this one: its pieces hold the whole log. */
  async send(pieces: readonly Uint8Array[]): Promise<void> {
    const turn = ++this.#turn
    this.#running++
    for (const payload of pieces) {
      while (!(await this.#sending.sendPiece(LOG_CHANNEL, MessageKind.logChunk, payload))) {
        await new Promise((done) => setTimeout(done, QUEUE_FULL_MS))
      }
      if (turn !== this.#turn) break
    }
    this.#running--
  }

  /** Whether a transfer has pieces that were not yet delivered at this member. */
  get busy(): boolean {
    return this.#running > 0
  }

  close(): void {
    this.#turn++
  }
}
