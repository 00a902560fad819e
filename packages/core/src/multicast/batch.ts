import type { Service } from "@keymoot/transport"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { utf8 } from "@scure/base"

import { KeymootError } from "../api/index.ts"
import { assert, TIMESTAMP_MS_MAX } from "../wire/index.ts"

/** One message of one channel. Several of one service are sent as a batch, under one signature and one encryption. */
export type BatchMessage = {
  /** 1 to 64 bytes of UTF-8. */
  readonly channel: string
  /** 0 to 255: kind of the payload, as numbered by the channel's owner. */
  readonly kind: number
  readonly payload: Uint8Array
  /** The sender's clock, milliseconds since 1970. */
  readonly sentAtMs: number
}

/** Delivery guarantee of an application's messages. */
export type BatchService = Exclude<Service, "none">

export const CHANNEL_NAME_BYTES_MAX = 64
/** Larger content goes in pieces, or it would delay later messages. */
export const PAYLOAD_BYTES_MAX = 128 * 1024
export const BATCH_MESSAGES_MAX = 512
/** Bound on the padded plaintext. Further messages wait for the next batch. */
export const BATCH_BYTES_MAX = 256 * 1024
/**
 * Distance from a sender's newest batch within which an older one is accepted. Services overtake each other, so numbers
 * arrive out of order. A sender has at most this many unstable frames in a view, so no honest batch is later.
 */
export const REPLAY_WINDOW_BATCHES = 8192

const BATCH_VERSION = 1
const BATCH_HEADER_BYTES = 3
/**
 * Head of each message: the length of its payload, and in the same word whether its channel and kind, and its time,
 * follow.
 */
const WORD_BYTES = 4
const SAYS_CHANNEL = 0x8000_0000
const SAYS_TIME = 0x4000_0000
const PAYLOAD_LENGTH = 0x3fff_ffff
/** Length of the channel's name, and the kind after it. */
const CHANNEL_HEADER_BYTES = 1 + 1
const TIME_BYTES = 8

/**
 * Padded sizes, which an observer sees. All short chat messages look alike, and longer ones differ in steps of 4 KiB. 2
 * KiB is a bucket, because content slightly above 1 KiB arrives a tenth sooner in two packets than in four.
 */
const SMALL_BUCKETS = [256, 1024, 2048, 4096] as const
const LARGE_BUCKET_BYTES = 4096

/** The group numbers unreliable messages separately from the others, up to 2^32 each. */
const UNRELIABLE_FIRST = 2 ** 32

/** Number of a sender's batch in its epoch, unique over all services. Unreliable ones have the numbers from 2^32 on. */
export function batchNumber(service: BatchService, sequence: number): number {
  return service === "unreliable" ? UNRELIABLE_FIRST + sequence : sequence
}

export type BatchLane = "kept" | "unreliable"

/** Returns which of a sender's two sequences a number belongs to. Each ascends by itself. */
export function laneOf(number: number): BatchLane {
  return number < UNRELIABLE_FIRST ? "kept" : "unreliable"
}

/** Well-formed, 1 to 64 bytes of UTF-8. */
export function isChannelName(name: string): boolean {
  const bytes = utf8ToBytes(name).length
  return bytes >= 1 && bytes <= CHANNEL_NAME_BYTES_MAX && !/\p{Cs}/u.test(name)
}

/**
 * Rejects messages that no batch can carry. Call it where an application passes a message.
 * @throws KeymootError `invalid-argument` for a bad channel name, `too-large` for a payload over the bound.
 */
export function assertSendable(
  message: Pick<BatchMessage, "channel" | "payload">,
  bytesMax: number = PAYLOAD_BYTES_MAX,
): void {
  if (message.channel !== lastGoodName && !isChannelName(message.channel)) {
    throw new KeymootError("invalid-argument", `A channel's name has 1 to ${CHANNEL_NAME_BYTES_MAX} bytes in UTF-8.`)
  }
  lastGoodName = message.channel
  if (message.payload.length > bytesMax) {
    throw new KeymootError("too-large", `A message has at most ${bytesMax} bytes here. Offer it as a file.`)
  }
}

/**
 * Cache of the last valid name. Thousands of consecutive messages use one channel, and checking its name would cost
 * more than the rest of this function.
 */
let lastGoodName: string | null = null

/**
 * Returns how many messages from the front of a queue fit into one batch; at least 1 unless the queue is empty.
 * @param bytesMax for more than one; a larger message is a batch by itself.
 */
export function countFitting(queue: Iterable<BatchMessage>, bytesMax = BATCH_BYTES_MAX): number {
  const headBytes = headMeasure()
  let [count, bytes] = [0, BATCH_HEADER_BYTES]
  for (const message of queue) {
    bytes += headBytes(message) + message.payload.length
    if (bytes > BATCH_BYTES_MAX || (count > 0 && bytes > bytesMax) || count === BATCH_MESSAGES_MAX) break
    count += 1
  }
  return count
}

/**
 * Encodes messages in order, padded. They must be sendable, and fit (`countFitting`).
 *
 * Version 1, count 2; the messages' heads; their concatenated payloads; then zeros. A head is a word of 4 bytes with
 * the payload's length and flags for what follows:
 * - channel (length 1, UTF-8) and kind 1, unless equal to the previous message's
 * - time 8, unless equal to the previous message's
 *
 * Written by hand, like its decoder: both process every message, hundreds of which share one signature.
 */
export function encodeBatch(messages: readonly BatchMessage[]): Uint8Array {
  assert(messages.length > 0 && countFitting(messages) === messages.length, "a batch has messages, and they fit")
  const headBytes = headMeasure()
  const headsEnd = messages.reduce((sum, message) => sum + headBytes(message), BATCH_HEADER_BYTES)
  const length = messages.reduce((sum, { payload }) => sum + payload.length, headsEnd)
  const bytes = new Uint8Array(paddedLength(length))
  const view = new DataView(bytes.buffer)
  bytes[0] = BATCH_VERSION
  view.setUint16(1, messages.length)
  let [at, payloadAt] = [BATCH_HEADER_BYTES, headsEnd]
  let before: BatchMessage | null = null
  for (const message of messages) {
    at = writeHead(message, before, bytes, view, at)
    bytes.set(message.payload, payloadAt)
    payloadAt += message.payload.length
    before = message
  }
  return bytes
}

/** @returns the offset of the next one */
function writeHead(
  { channel, kind, sentAtMs, payload }: BatchMessage,
  before: Head | null,
  bytes: Uint8Array,
  view: DataView,
  start: number,
): number {
  let at = start + WORD_BYTES
  let flags = 0
  if (!isOfSameChannel(before, channel, kind)) {
    const name = utf8ToBytes(channel)
    flags += SAYS_CHANNEL
    bytes[at] = name.length
    bytes.set(name, at + 1)
    bytes[at + 1 + name.length] = kind
    at += CHANNEL_HEADER_BYTES + name.length
  }
  if (before?.sentAtMs !== sentAtMs) {
    flags += SAYS_TIME
    view.setUint32(at, Math.floor(sentAtMs / 2 ** 32))
    view.setUint32(at + 4, sentAtMs % 2 ** 32)
    at += TIME_BYTES
  }
  view.setUint32(start, flags + payload.length)
  return at
}

type Head = Omit<BatchMessage, "payload">
type ReadHead = Head & { readonly payloadBytes: number }

/**
 * Returns `null` unless it is exactly an encoding of `encodeBatch`, padding included. Payloads alias `bytes`,
 * consecutively.
 */
export function decodeBatch(bytes: Uint8Array): BatchMessage[] | null {
  if (bytes.length < BATCH_HEADER_BYTES || bytes.length > BATCH_BYTES_MAX || bytes[0] !== BATCH_VERSION) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = view.getUint16(1)
  if (count === 0 || count > BATCH_MESSAGES_MAX) return null
  const heads: ReadHead[] = []
  let at = BATCH_HEADER_BYTES
  while (heads.length < count) {
    const read = readHead(bytes, view, at, heads.at(-1) ?? null)
    if (read === null) return null
    heads.push(read.head)
    at = read.end
  }
  const messages: BatchMessage[] = []
  for (const { channel, kind, sentAtMs, payloadBytes } of heads) {
    messages.push({ channel, kind, sentAtMs, payload: bytes.subarray(at, at + payloadBytes) })
    at += payloadBytes
  }
  // A second encoding of the same messages would be a covert channel.
  if (at > bytes.length || paddedLength(at) !== bytes.length || !isZero(bytes.subarray(at))) return null
  return messages
}

/** Returns null also if a field repeats the previous message's value. */
function readHead(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  before: Head | null,
): { head: ReadHead; end: number } | null {
  if (start + WORD_BYTES > bytes.length) return null
  const word = view.getUint32(start)
  const payloadBytes = word & PAYLOAD_LENGTH
  if (payloadBytes > PAYLOAD_BYTES_MAX) return null
  let at = start + WORD_BYTES
  let [channel, kind, sentAtMs] = [before?.channel ?? null, before?.kind ?? 0, before?.sentAtMs ?? null]
  if (word >= SAYS_CHANNEL) {
    const nameEnd = at + 1 + (bytes[at] ?? 0)
    if (nameEnd >= bytes.length) return null
    channel = channelName(bytes.subarray(at + 1, nameEnd))
    kind = bytes[nameEnd]!
    if (channel === null || isOfSameChannel(before, channel, kind)) return null
    at = nameEnd + 1
  }
  if ((word & SAYS_TIME) !== 0) {
    if (at + TIME_BYTES > bytes.length) return null
    sentAtMs = view.getUint32(at) * 2 ** 32 + view.getUint32(at + 4)
    if (sentAtMs > TIMESTAMP_MS_MAX || sentAtMs === before?.sentAtMs) return null
    at += TIME_BYTES
  }
  if (channel === null || sentAtMs === null) return null
  return { head: { channel, kind, sentAtMs, payloadBytes }, end: at }
}

function isOfSameChannel(before: Head | null, channel: string, kind: number): boolean {
  return before !== null && before.channel === channel && before.kind === kind
}

/** Returns a function that measures the heads of consecutive messages. */
function headMeasure(): (message: BatchMessage) => number {
  let before: BatchMessage | null = null
  return (message) => {
    const { channel, kind, sentAtMs } = message
    const channelBytes = isOfSameChannel(before, channel, kind) ? 0 : CHANNEL_HEADER_BYTES + utf8ToBytes(channel).length
    const timeBytes = before?.sentAtMs === sentAtMs ? 0 : TIME_BYTES
    before = message
    return WORD_BYTES + channelBytes + timeBytes
  }
}

function isZero(padding: Uint8Array): boolean {
  for (const byte of padding) if (byte !== 0) return false
  return true
}

/** Returns null for an invalid name. */
function channelName(bytes: Uint8Array): string | null {
  const name = decodeUtf8(bytes)
  return name !== null && isChannelName(name) ? name : null
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.encode(bytes)
  } catch {
    return null
  }
}

/** Returns the bucket of a content. @param contentBytes at most `BATCH_BYTES_MAX`. */
export function paddedLength(contentBytes: number): number {
  const small = SMALL_BUCKETS.find((bucket) => contentBytes <= bucket)
  return small ?? Math.ceil(contentBytes / LARGE_BUCKET_BYTES) * LARGE_BUCKET_BYTES
}
