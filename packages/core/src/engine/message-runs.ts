/**
 * Messages on their way between the application's thread and the engine. An object for each would cost more than all that is
 * done with its bytes, so those that follow on each other cross as one: their payloads one behind the other in one buffer,
 * which is handed over.
 */
import type { MemberId } from "@keymoot/transport"
import type { ChannelMessage, DeliveryService, Member } from "../api.ts"

/** Bounds of one run to the engine; what is sent in the same turn beyond them begins another. A larger message is one alone. */
const SENT_MESSAGES_MAX = 512
const SENT_BYTES_MAX = 256 * 1024

/** Payloads one behind the other in `bytes`, from `start` on. */
export type Payloads = {
  readonly lengths: readonly number[]
  readonly start: number
  readonly bytes: Uint8Array
}

/** Where messages are sent. */
export type Sent = {
  /** Of the conference. */
  readonly id: string
  readonly channel: string
  readonly kind: number
  readonly service: DeliveryService
}

/** To the engine: messages of one turn. Their requests are numbered from `first`. */
export type SentRun = Sent & Payloads & { readonly type: "send"; readonly first: number }

/** From the engine: messages of one batch and channel that were delivered one after another. */
export type MessageRun = Payloads & {
  readonly type: "messages"
  readonly channel: string
  readonly from: Member
  /** Of the batch; with its `index` behind it, the id of a message. */
  readonly batch: string
  /** Of the first message. */
  readonly index: number
  readonly sentAtMs: readonly number[]
  readonly epoch: number
  readonly view: string
  /** Place of the first message; each other has the next, or `inOrder` is false and all have the same. */
  readonly sequence: number
  readonly inOrder: boolean
  /** The requests that are answered by it, if this member has sent them. */
  readonly requests: readonly (number | null)[]
}

/** Gathers what is sent in one turn: copied at once, so that whoever sent it may write its next message into the same bytes. */
export class SentGathering {
  readonly #sent: Sent
  readonly #first: number
  readonly #foreseenBytes: number
  readonly #lengths: number[] = []
  #buffer: Uint8Array = new Uint8Array()
  #bytes = 0

  /** @param foreseenBytes room for more than one message, if a second comes */
  constructor(first: number, sent: Sent, foreseenBytes = 0) {
    this.#first = first
    this.#sent = sent
    this.#foreseenBytes = foreseenBytes
  }

  /** False if it does not follow on what is here already. */
  add(request: number, { id, channel, kind, service }: Sent, payload: Uint8Array): boolean {
    const sent = this.#sent
    const count = this.#lengths.length
    const bytes = this.#bytes + payload.length
    const follows = request === this.#first + count && id === sent.id && channel === sent.channel
    const alike = kind === sent.kind && service === sent.service
    const full = count > 0 && (count === SENT_MESSAGES_MAX || bytes > SENT_BYTES_MAX)
    if (!follows || !alike || full) return false
    if (bytes > this.#buffer.length) this.#grow(bytes)
    this.#buffer.set(payload, this.#bytes)
    this.#lengths.push(payload.length)
    this.#bytes = bytes
    return true
  }

  run(): SentRun {
    const { id, channel, kind, service } = this.#sent
    const bytes = this.#buffer.subarray(0, this.#bytes)
    return { type: "send", first: this.#first, id, channel, kind, service, lengths: this.#lengths, start: 0, bytes }
  }

  /** One message alone has exactly its room; with each more that does not fit it doubles. */
  #grow(bytes: number): void {
    const former = this.#buffer
    const ample = former.length === 0 ? 0 : Math.max(this.#foreseenBytes, Math.min(2 * former.length, SENT_BYTES_MAX))
    this.#buffer = new Uint8Array(Math.max(bytes, ample))
    this.#buffer.set(former)
  }
}

/** In a buffer of their own. */
export function joinPayloads(payloads: readonly Uint8Array[]): Payloads {
  const lengths = payloads.map(({ length }) => length)
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const payload of payloads) {
    bytes.set(payload, at)
    at += payload.length
  }
  return { lengths, start: 0, bytes }
}

/**
 * In the buffer that they stand in, where they fill at least half of it; elsewhere in one of their own.
 * @param payloads one behind the other, and all that is left of use in their buffer: it may be handed over, and is the page's then.
 */
export function joinInPlace(payloads: readonly Uint8Array[]): Payloads {
  const [first] = payloads
  const lengths = payloads.map(({ length }) => length)
  const filled = lengths.reduce((sum, length) => sum + length, 0)
  if (!first || 2 * filled < first.buffer.byteLength) return joinPayloads(payloads)
  return { lengths, start: first.byteOffset, bytes: new Uint8Array(first.buffer) }
}

/** Parts of the buffer of all. */
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

/** Each with its bytes in a buffer of its own: one that is kept keeps no others. */
export function messagesOf(run: MessageRun): ChannelMessage[] {
  const { from, batch, index, sentAtMs, epoch, view, sequence, inOrder } = run
  return payloadsOf(run).map((payload, i) => {
    const data = payload.slice()
    let text: string | null = null
    return {
      id: messageId(batch, index + i),
      from,
      data,
      // Most of what is not text is never asked for as text.
      get text() {
        return (text ??= utf8.decode(data))
      },
      sentAtMs: sentAtMs[i]!,
      position: { epoch, view, sequence: inOrder ? sequence + i : sequence },
      handedOver: false,
    }
  })
}
