import type { MemberId } from "@keymoot/transport"
import { cutIntoPieces, MESSAGE_BYTES_MAX } from "../../addressed/piece.ts"
import { KeymootError, type DeliveryService, type SendOptions } from "../../api/index.ts"
import type { MessageKind } from "../../multicast/message-kind.ts"
import type { EngineCalls } from "../../rpc/protocol.ts"
import { callSafely } from "./emitter.ts"
import { aborted, type EngineConnection } from "./engine-connection.ts"
import { QUEUE_FULL_MS } from "./piece-sender.ts"
import { SendOrder } from "./send-order.ts"

type Sent = EngineCalls["conference.send"]["result"]

type How = { readonly signal?: AbortSignal | undefined; readonly onProgress?: SendOptions["onProgress"] | undefined }

export type PiecesMessage = {
  readonly channel: string
  readonly kind: MessageKind
  readonly data: Uint8Array
  readonly targets: readonly MemberId[]
  readonly subject: string
  readonly service: DeliveryService
  readonly readers?: readonly MemberId[] | undefined
}

/**
 * Sends messages in pieces for all channels of one conference. One transfer follows another, because a receiver
 * assembles one message of a sender at a time. Each piece waits for the delivery of the one before, so other messages
 * can go in between.
 */
export class MessagePieces {
  readonly #conference: string
  readonly #connection: EngineConnection
  readonly #order = new SendOrder()

  constructor(conference: string, connection: EngineConnection) {
    this.#conference = conference
    this.#connection = connection
  }

  /**
   * Resolves when the last piece has been delivered here; with the message, unless it is a request or an answer.
   * @throws KeymootError `too-large`, `queue-full`, `unseen-readers`, `closed`, `aborted`, `not-permitted`
   */
  async send(message: PiecesMessage, { signal, onProgress }: How): Promise<Sent> {
    if (message.data.length > MESSAGE_BYTES_MAX) {
      throw new KeymootError("too-large", `A message has at most ${MESSAGE_BYTES_MAX} bytes. Offer it as a file.`)
    }
    const pieces = cutIntoPieces(message.data, message.targets, message.subject)
    const transfer = (): Promise<Sent> => this.#transfer(message, pieces, signal, onProgress)
    // A single piece needs no place in the queue of transfers.
    return pieces.length === 1 ? transfer() : this.#order.run(true, signal, transfer)
  }

  /** As in `SendOrder`. */
  drained(): Promise<void> {
    return this.#order.drained()
  }

  async #transfer(
    message: PiecesMessage,
    pieces: readonly Uint8Array[],
    signal: AbortSignal | undefined,
    onProgress: SendOptions["onProgress"],
  ): Promise<Sent> {
    let sent: Sent = null
    for (const [index, payload] of pieces.entries()) {
      sent = await this.#sendPiece(message, payload, index === 0, signal)
      callSafely(() => onProgress?.({ sent: index + 1, count: pieces.length }))
    }
    return sent
  }

  /** The first piece starts the transfer, so on a full queue it rejects and leaves the retry to the caller. */
  async #sendPiece(
    { channel, kind, service, readers }: PiecesMessage,
    payload: Uint8Array,
    first: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Sent> {
    const params = { id: this.#conference, channel, kind, payload, service, readers }
    for (;;) {
      if (signal?.aborted) throw aborted()
      try {
        return await this.#connection.call("conference.send", params, signal)
      } catch (error) {
        if (first || !(error instanceof KeymootError && error.code === "queue-full")) throw error
        await new Promise((done) => setTimeout(done, QUEUE_FULL_MS))
      }
    }
  }
}
