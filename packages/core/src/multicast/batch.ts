import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"

import { KeymootError } from "../api.ts"
import { assert, boundedBytes, boundedList, decodeOrNull, timestampMs, versionByte } from "../wire/index.ts"

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

/** The sizes that an observer sees: a short chat message is like any other, and longer ones are told apart in steps of 4 KiB. */
const SMALL_BUCKETS = [256, 1024, 4096] as const
const LARGE_BUCKET_BYTES = 4096

const channelName = P.validate(P.string(P.U8), (name) => {
  if (!isChannelName(name)) throw new RangeError("a channel's name has 1 to 64 bytes")
  return name
})

const batch = P.struct({
  version: versionByte(BATCH_VERSION),
  messages: boundedList<BatchMessage>(
    P.struct({
      channel: channelName,
      kind: P.U8,
      sentAtMs: timestampMs,
      payload: boundedBytes(P.U32BE, PAYLOAD_BYTES_MAX),
    }),
    BATCH_MESSAGES_MAX,
  ),
  padding: P.bytes(null),
})

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
  if (!isChannelName(message.channel)) {
    throw new KeymootError("invalid-argument", `A channel's name has 1 to ${CHANNEL_NAME_BYTES_MAX} bytes in UTF-8.`)
  }
  if (message.payload.length > PAYLOAD_BYTES_MAX) {
    throw new KeymootError("too-large", `A message has at most ${PAYLOAD_BYTES_MAX} bytes. Send it in pieces.`)
  }
}

/** How many messages from the front of a queue fit into one batch; at least 1 unless the queue is empty. */
export function countFitting(queue: Iterable<BatchMessage>): number {
  let [count, bytes] = [0, BATCH_HEADER_BYTES]
  for (const message of queue) {
    bytes += MESSAGE_HEADER_BYTES + utf8ToBytes(message.channel).length + message.payload.length
    if (bytes > BATCH_BYTES_MAX || count === BATCH_MESSAGES_MAX) break
    count += 1
  }
  return count
}

/** The messages in their order, padded. They must be sendable, and fit (`countFitting`). */
export function encodeBatch(messages: readonly BatchMessage[]): Uint8Array {
  assert(messages.length > 0 && countFitting(messages) === messages.length, "a batch has messages, and they fit")
  const content = batch.encode({ messages: [...messages], padding: new Uint8Array() })
  const padded = new Uint8Array(paddedLength(content.length))
  padded.set(content)
  return padded
}

/** `null` unless it is exactly what `encodeBatch` makes, padding included. Payloads alias `bytes`. */
export function decodeBatch(bytes: Uint8Array): BatchMessage[] | null {
  if (bytes.length > BATCH_BYTES_MAX) return null
  const decoded = decodeOrNull(batch, bytes)
  if (decoded === null || decoded.messages.length === 0) return null
  const { messages, padding } = decoded
  // A second form of the same messages would be a channel to hide something in.
  if (padding.some((byte) => byte !== 0) || paddedLength(bytes.length - padding.length) !== bytes.length) return null
  return messages
}

/** The bucket of a content. @param contentBytes at most `BATCH_BYTES_MAX`. */
export function paddedLength(contentBytes: number): number {
  const small = SMALL_BUCKETS.find((bucket) => contentBytes <= bucket)
  return small ?? Math.ceil(contentBytes / LARGE_BUCKET_BYTES) * LARGE_BUCKET_BYTES
}
