import { splitIntoChunks } from "../../history/chunks.ts"
import { deflate } from "../../wire/index.ts"

/**
 * - over: the conference is over.
 * - too-large: it cannot be sent as it is.
 * - not-permitted: this member is a viewer.
 * - replaced: a later transfer contains this one.
 */
export type Outcome = "sent" | "full" | "over" | "too-large" | "not-permitted" | "replaced"

/** Retry delay of a piece that found the queue full. */
export const QUEUE_FULL_MS = 250

type SendPiece = (piece: Uint8Array) => Promise<Outcome>

export type PieceSenderConfig = {
  /** Bound on a transfer in bytes: of a change uncompressed, of a whole document compressed. */
  readonly bytesMax: number
  /** Bound on a whole document in bytes before compression. */
  readonly wholeBytesMax: number
}

/**
 * Sends updates that exceed one message, in pieces. One transfer follows another, because a receiver assembles one
 * transfer of a sender at a time. Each piece waits for the delivery of the one before, so the queue holds at most one.
 */
export class PieceSender {
  readonly #config: PieceSenderConfig
  #last: Promise<unknown> = Promise.resolve()
  #transfers = 0
  #running = 0

  constructor(config: PieceSenderConfig) {
    this.#config = config
  }

  /**
   * Sends a change, which all members need. It is not compressed, because receivers inflate only expected transfers.
   */
  change(update: Uint8Array, send: SendPiece): Promise<Outcome> {
    const { bytesMax } = this.#config
    if (update.length > bytesMax) return Promise.resolve("too-large")
    return this.#queue(() => this.#transfer(splitIntoChunks(update), send, () => false))
  }

  /**
   * Sends the whole state to newcomers. Later newcomers need the whole again, so a new call stops an unfinished
   * transfer.
   * @param transfer its name
   */
  transfer(transfer: string, whole: () => Uint8Array, send: SendPiece): Promise<Outcome> {
    const turn = ++this.#transfers
    const replaced = (): boolean => turn !== this.#transfers
    return this.#queue(async () => {
      if (replaced()) return "replaced"
      const { bytesMax, wholeBytesMax } = this.#config
      const bytes = whole()
      const compressed = bytes.length > wholeBytesMax ? null : await deflate(bytes)
      if (!compressed || compressed.length > bytesMax) return "too-large"
      return this.#transfer(splitIntoChunks(compressed, transfer), send, replaced)
    })
  }

  /** Resolves once all transfers that wait now are over. */
  drained(): Promise<unknown> {
    return this.#last
  }

  /** Whether a transfer is in progress or waits. */
  get busy(): boolean {
    return this.#running > 0
  }

  #queue(transfer: () => Promise<Outcome>): Promise<Outcome> {
    this.#running++
    const outcome = this.#last.then(transfer).finally(() => this.#running--)
    this.#last = outcome.catch(() => undefined)
    return outcome
  }

  async #transfer(pieces: readonly Uint8Array[], send: SendPiece, replaced: () => boolean): Promise<Outcome> {
    for (const piece of pieces) {
      const outcome = await this.#sendPiece(piece, send, replaced)
      if (outcome !== "sent") return outcome
    }
    return "sent"
  }

  async #sendPiece(piece: Uint8Array, send: SendPiece, replaced: () => boolean): Promise<Outcome> {
    while (!replaced()) {
      const outcome = await send(piece)
      if (outcome !== "full") return outcome
      await new Promise((done) => setTimeout(done, QUEUE_FULL_MS))
    }
    return "replaced"
  }
}
