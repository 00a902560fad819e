import { LOG_CHANNEL, MessageKind } from "./message-kind.ts"
import type { Sending } from "./sending.ts"

/** After this a piece of history that found the queue full is offered again. */
const QUEUE_FULL_MS = 250

/** Hands the log over piece by piece, so that what people say is not held up. */
export class HandingOver {
  readonly #sending: Sending
  #turn = 0
  #running = 0

  constructor(sending: Sending) {
    this.#sending = sending
  }

  /** A later hand-over tells all, and takes the place of this one. */
  async handOver(pieces: readonly Uint8Array[]): Promise<void> {
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

  /** Not all that was to be handed over has been delivered here. */
  get busy(): boolean {
    return this.#running > 0
  }

  close(): void {
    this.#turn++
  }
}
