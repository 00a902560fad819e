import { utf8ToBytes } from "@noble/hashes/utils.js"
import { utf8 } from "@scure/base"

import { KeymootError } from "../api.ts"
import { assert, equalBytes, TIMESTAMP_MS_MAX } from "../wire/index.ts"

/** One message of one channel; several of one service leave together as a batch, under one signature and one encryption. */
export type BatchMessage = {
  /** 1 to 64 bytes of UTF-8. */
  readonly channel: string
  /** 0 to 255: what the payload is, as the channel's owner numbers it. */
  readonly kind: number
  readonly payload: Uint8Array
  /** The sender's clock, milliseconds since 1970. */
  readonly sentAtMs: number
}

export const CHANNEL_NAME_BYTES_MAX = 64
/** Larger contents go in pieces, or they would hold up what comes behind them. */
export const PAYLOAD_BYTES_MAX = 128 * 1024
export const BATCH_MESSAGES_MAX = 512
/** Of the padded plaintext. What does not fit waits for the next batch. */
export const BATCH_BYTES_MAX = 256 * 1024

const BATCH_VERSION = 1
const BATCH_HEADER_BYTES = 3
/** Lengths of channel and payload, kind, time. */
const MESSAGE_HEADER_BYTES = 1 + 4 + 1 + 8

/**
 * The sizes that an observer sees: a short chat message is like any other, and longer ones are told apart in steps of 4 KiB.
 * 2 KiB stands between: what has little more than 1 KiB comes a tenth sooner in two packets than in four.
 */
const SMALL_BUCKETS = [256, 1024, 2048, 4096] as const
const LARGE_BUCKET_BYTES = 4096

/** Well-formed, 1 to 64 bytes of UTF-8. */
export function isChannelName(name: string): boolean {
  const bytes = utf8ToBytes(name).length
  return bytes >= 1 && bytes <= CHANNEL_NAME_BYTES_MAX && !/\p{Cs}/u.test(name)
}

/**
 * Refuses what no batch could carry; to be called where an application hands a message over.
 * @throws KeymootError `invalid-argument` for a bad channel name, `too-large` for a payload over 128 KiB.
 */
export function assertSendable(message: Pick<BatchMessage, "channel" | "payload">): void {
  if (message.channel !== lastGoodName && !isChannelName(message.channel)) {
    throw new KeymootError("invalid-argument", `A channel's name has 1 to ${CHANNEL_NAME_BYTES_MAX} bytes in UTF-8.`)
  }
  lastGoodName = message.channel
  if (message.payload.length > PAYLOAD_BYTES_MAX) {
    throw new KeymootError("too-large", `A message has at most ${PAYLOAD_BYTES_MAX} bytes here. Offer it as a file.`)
  }
}

/** Thousands in a row go to one channel, and looking at its name takes longer than everything else that is looked at here. */
let lastGoodName: string | null = null

/**
 * How many messages from the front of a queue fit into one batch; at least 1 unless the queue is empty.
 * @param bytesMax for more than one; a message that is larger is one alone.
 */
export function countFitting(queue: Iterable<BatchMessage>, bytesMax = BATCH_BYTES_MAX): number {
  const nameBytes = nameEncoder()
  let [count, bytes] = [0, BATCH_HEADER_BYTES]
  for (const message of queue) {
    bytes += MESSAGE_HEADER_BYTES + nameBytes(message.channel).length + message.payload.length
    if (bytes > BATCH_BYTES_MAX || (count > 0 && bytes > bytesMax) || count === BATCH_MESSAGES_MAX) break
    count += 1
  }
  return count
}

/**
 * The messages in their order, padded. They must be sendable, and fit (`countFitting`).
 *
 * Version 1, count 2; of each message: channel (length 1, UTF-8), kind 1, time 8, payload (length 4); then zeros. Written by
 * hand, like its decoder: both are on the path of every message, hundreds of which share one signature.
 */
export function encodeBatch(messages: readonly BatchMessage[]): Uint8Array {
  assert(messages.length > 0 && countFitting(messages) === messages.length, "a batch has messages, and they fit")
  const nameBytes = nameEncoder()
  let length = BATCH_HEADER_BYTES
  for (const { channel, payload } of messages)
    length += MESSAGE_HEADER_BYTES + nameBytes(channel).length + payload.length
  const bytes = new Uint8Array(paddedLength(length))
  const view = new DataView(bytes.buffer)
  bytes[0] = BATCH_VERSION
  view.setUint16(1, messages.length)
  let at = BATCH_HEADER_BYTES
  for (const { channel, kind, sentAtMs, payload } of messages) {
    const name = nameBytes(channel)
    bytes[at] = name.length
    bytes.set(name, at + 1)
    at += 1 + name.length
    bytes[at] = kind
    view.setUint32(at + 1, Math.floor(sentAtMs / 2 ** 32))
    view.setUint32(at + 5, sentAtMs % 2 ** 32)
    view.setUint32(at + 9, payload.length)
    bytes.set(payload, at + 13)
    at += 13 + payload.length
  }
  return bytes
}

/** `null` unless it is exactly what `encodeBatch` makes, padding included. Payloads alias `bytes`. */
export function decodeBatch(bytes: Uint8Array): BatchMessage[] | null {
  if (bytes.length < BATCH_HEADER_BYTES || bytes.length > BATCH_BYTES_MAX || bytes[0] !== BATCH_VERSION) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const count = view.getUint16(1)
  if (count === 0 || count > BATCH_MESSAGES_MAX) return null
  const nameOf = nameDecoder()
  const messages: BatchMessage[] = []
  let at = BATCH_HEADER_BYTES
  while (messages.length < count) {
    const fixed = at + 1 + (bytes[at] ?? 0)
    if (fixed + 13 > bytes.length) return null
    const channel = nameOf(bytes.subarray(at + 1, fixed))
    const sentAtMs = view.getUint32(fixed + 1) * 2 ** 32 + view.getUint32(fixed + 5)
    const payloadBytes = view.getUint32(fixed + 9)
    at = fixed + 13 + payloadBytes
    if (channel === null || sentAtMs > TIMESTAMP_MS_MAX) return null
    if (payloadBytes > PAYLOAD_BYTES_MAX || at > bytes.length) return null
    messages.push({ channel, kind: bytes[fixed]!, sentAtMs, payload: bytes.subarray(fixed + 13, at) })
  }
  // A second form of the same messages would be a channel to hide something in.
  if (paddedLength(at) !== bytes.length || !isZero(bytes.subarray(at))) return null
  return messages
}

function isZero(padding: Uint8Array): boolean {
  for (const byte of padding) if (byte !== 0) return false
  return true
}

/** Of most batches all messages are of one channel: its name is translated once. */
function nameEncoder(): (name: string) => Uint8Array {
  let known: { readonly name: string; readonly bytes: Uint8Array } | null = null
  return (name) => {
    if (known?.name !== name) known = { name, bytes: utf8ToBytes(name) }
    return known.bytes
  }
}

/** Null for what is no channel's name. */
function nameDecoder(): (bytes: Uint8Array) => string | null {
  let known: { readonly name: string; readonly bytes: Uint8Array } | null = null
  return (bytes) => {
    if (known && equalBytes(known.bytes, bytes)) return known.name
    const name = decodeUtf8(bytes)
    if (name === null || !isChannelName(name)) return null
    known = { name, bytes }
    return name
  }
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return utf8.encode(bytes)
  } catch {
    return null
  }
}

/** The bucket of a content. @param contentBytes at most `BATCH_BYTES_MAX`. */
export function paddedLength(contentBytes: number): number {
  const small = SMALL_BUCKETS.find((bucket) => contentBytes <= bucket)
  return small ?? Math.ceil(contentBytes / LARGE_BUCKET_BYTES) * LARGE_BUCKET_BYTES
}
