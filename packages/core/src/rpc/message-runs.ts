/**
 * Runs of messages between the application's thread and the engine. An object for each message would cost more than all
 * processing of its bytes. So consecutive messages cross as one, with concatenated payloads in one transferred buffer.
 */
import type { MemberId } from "@keymoot/transport"
import { concatBytes, isBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { KeymootError, type ChannelMessage, type DeliveryService, type Member } from "../api/index.ts"

/**
 * Bounds of one run to the engine. Messages of the same turn beyond them start another run. A larger message is a run
 * by itself.
 */
const SENT_MESSAGES_MAX = 512
const SENT_BYTES_MAX = 256 * 1024

/** Payloads, concatenated in `bytes` from `start` on. */
export type Payloads = {
  readonly lengths: readonly number[]
  readonly start: number
  readonly bytes: Uint8Array
}

/** Destination of messages. */
export type Sent = {
  /** Id of the conference. */
  readonly id: string
  readonly channel: string
  readonly kind: number
  readonly service: DeliveryService
  /** See `SendOptions`. */
  readonly readers?: readonly MemberId[] | undefined
}

/** To the engine: messages of one turn. Their requests are numbered from `first`. */
export type SentRun = Sent & Payloads & { readonly type: "send"; readonly first: number }

/** From the engine: consecutive messages of one batch and channel. */
export type MessageRun = Payloads & {
  readonly type: "messages"
  readonly channel: string
  readonly from: Member
  /** Id of the batch. Followed by the `index` it is the id of a message. */
  readonly batch: string
  /** Index of the first message. */
  readonly index: number
  readonly sentAtMs: readonly number[]
  readonly epoch: number
  readonly view: string
  /**
   * Position of the first message. Later ones have consecutive positions, or all have the same if `inOrder` is false.
   */
  readonly sequence: number
  readonly inOrder: boolean
  /** Requests that each message settles, if this member sent it. */
  readonly requests: readonly (number | null)[]
}

/** Payload of a message as the application gives it. @throws KeymootError `invalid-argument` */
export function payloadOf(data: string | Uint8Array): Uint8Array {
  if (isBytes(data)) return data
  if (typeof data === "string") return utf8ToBytes(data)
  throw new KeymootError("invalid-argument", "A message must be a string or a Uint8Array.")
}

/** Gathers the messages of one turn. It copies them at once, so that the sender may reuse its arrays. */
export class SentGathering {
  readonly #sent: Sent
  readonly #first: number
  readonly #foreseenBytes: number
  readonly #lengths: number[] = []
  #buffer: Uint8Array = new Uint8Array()
  #bytes = 0

  /** @param foreseenBytes initial capacity if a second message comes */
  constructor(first: number, sent: Sent, foreseenBytes = 0) {
    this.#first = first
    this.#sent = { ...sent, readers: sent.readers?.slice() }
    this.#foreseenBytes = foreseenBytes
  }

  /** Returns false if the message cannot join this run. */
  add(request: number, { id, channel, kind, service, readers }: Sent, payload: Uint8Array): boolean {
    const sent = this.#sent
    const count = this.#lengths.length
    const bytes = this.#bytes + payload.length
    const follows = request === this.#first + count && id === sent.id && channel === sent.channel
    const sameReaders = readers === sent.readers || `${readers}` === `${sent.readers}`
    const alike = kind === sent.kind && service === sent.service && sameReaders
    const full = count > 0 && (count === SENT_MESSAGES_MAX || bytes > SENT_BYTES_MAX)
    if (!follows || !alike || full) return false
    if (bytes > this.#buffer.length) this.#grow(bytes)
    this.#buffer.set(payload, this.#bytes)
    this.#lengths.push(payload.length)
    this.#bytes = bytes
    return true
  }

  run(): SentRun {
    const bytes = this.#buffer.subarray(0, this.#bytes)
    return { type: "send", first: this.#first, ...this.#sent, lengths: this.#lengths, start: 0, bytes }
  }

  /** A single message gets its exact size. The capacity doubles for later messages that do not fit. */
  #grow(bytes: number): void {
    const former = this.#buffer
    const ample = former.length === 0 ? 0 : Math.max(this.#foreseenBytes, Math.min(2 * former.length, SENT_BYTES_MAX))
    this.#buffer = new Uint8Array(Math.max(bytes, ample))
    this.#buffer.set(former)
  }
}

/** Joins payloads in a new buffer. */
export function joinPayloads(payloads: readonly Uint8Array[]): Payloads {
  return { lengths: payloads.map(({ length }) => length), start: 0, bytes: concatBytes(...payloads) }
}

/**
 * Joins payloads in their own buffer if they fill at least half of it, otherwise in a new one.
 * @param payloads consecutive, and the only used content of their buffer, which may be transferred to the page.
 */
export function joinInPlace(payloads: readonly Uint8Array[]): Payloads {
  const [first] = payloads
  const lengths = payloads.map(({ length }) => length)
  const filled = lengths.reduce((sum, length) => sum + length, 0)
  if (!first || 2 * filled < first.buffer.byteLength) return joinPayloads(payloads)
  return { lengths, start: first.byteOffset, bytes: new Uint8Array(first.buffer) }
}

/** Returns views into the common buffer. */
export function payloadsOf({ lengths, start, bytes }: Payloads): Uint8Array[] {
  let at = start
  return lengths.map((length) => bytes.subarray(at, (at += length)))
}

function messageId(batch: string, index: number): string {
  return `${batch}/${index}`
}

/** @param sequence see `batchNumber` */
export function batchId(sender: MemberId, view: string, sequence: number): string {
  return `${sender}/${view}/${sequence}`
}

const utf8 = new TextDecoder()

/** Copies each message into a buffer of its own, so that keeping one keeps no others in memory. */
export function messagesOf(run: MessageRun): ChannelMessage[] {
  const { from, batch, index, sentAtMs, epoch, view, sequence, inOrder } = run
  return payloadsOf(run).map((payload, i) => {
    const data = payload.slice()
    let text: string | null = null
    return {
      id: messageId(batch, index + i),
      from,
      data,
      // Lazy, because most binary data is never read as text.
      get text() {
        return (text ??= utf8.decode(data))
      },
      sentAtMs: sentAtMs[i]!,
      position: { epoch, view, sequence: inOrder ? sequence + i : sequence },
      transferred: null,
    }
  })
}
