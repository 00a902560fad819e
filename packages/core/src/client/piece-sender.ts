import { splitIntoChunks } from "../history/index.ts"
import { deflate } from "../wire/index.ts"

/**
 * over: the conference is; too-large: it cannot be sent as it is; not-permitted: not by a viewer; replaced: what was handed over
 * is part of a later hand-over.
 */
export type Outcome = "sent" | "full" | "over" | "too-large" | "not-permitted" | "replaced"

/** After this a piece that found the queue full is offered again. */
export const QUEUE_FULL_MS = 250

/**
 * Sends what is too large for one message: compressed, in pieces, one transfer after another, because a receiver puts one
 * transfer of a sender together at a time. Each piece waits for the one before it, so the queue holds one.
 */
export class PieceSender {
  readonly #bytesMax: number
  readonly #send: (piece: Uint8Array) => Promise<Outcome>
  #last: Promise<unknown> = Promise.resolve()
  #handOver = 0
  #running = 0

  /** `bytesMax`: compressed; what is larger can never be sent. */
  constructor(bytesMax: number, send: (piece: Uint8Array) => Promise<Outcome>) {
    this.#bytesMax = bytesMax
    this.#send = send
  }

  /** A change: everybody needs it. */
  change(update: Uint8Array): Promise<Outcome> {
    return this.#queue(() => this.#transfer(update, () => false))
  }

  /** All there is, for those who came. Who comes next is told all again, so an unfinished hand-over stops at once. */
  handOver(whole: () => Uint8Array): Promise<Outcome> {
    const turn = ++this.#handOver
    const replaced = (): boolean => turn !== this.#handOver
    return this.#queue(async () => (replaced() ? "replaced" : this.#transfer(whole(), replaced)))
  }

  /** Something is on its way or waits for its turn. */
  get busy(): boolean {
    return this.#running > 0
  }

  #queue(transfer: () => Promise<Outcome>): Promise<Outcome> {
    this.#running++
    const outcome = this.#last.then(transfer).finally(() => this.#running--)
    this.#last = outcome.catch(() => undefined)
    return outcome
  }

  async #transfer(update: Uint8Array, replaced: () => boolean): Promise<Outcome> {
    const compressed = await deflate(update)
    if (compressed.length > this.#bytesMax) return "too-large"
    for (const piece of splitIntoChunks(compressed)) {
      const outcome = await this.#sendPiece(piece, replaced)
      if (outcome !== "sent") return outcome
    }
    return "sent"
  }

  async #sendPiece(piece: Uint8Array, replaced: () => boolean): Promise<Outcome> {
    while (!replaced()) {
      const outcome = await this.#send(piece)
      if (outcome !== "full") return outcome
      await new Promise((done) => setTimeout(done, QUEUE_FULL_MS))
    }
    return "replaced"
  }
}
