import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"

import { CHANNEL_NAME_BYTES_MAX, isChannelName } from "../multicast/batch.ts"
import { boundedList, decodeOrNull, versionByte } from "../wire/index.ts"

/** Channel of log items with which authors erase own items. No application can open a channel of this name. */
export const ERASURE_CHANNEL = "keymoot/erasure"
/** Largest number of items in one erasure. */
export const ERASED_AT_ONCE_MAX = 64

const ITEM_ID_BYTES = 16
const VERSION = 1

/** `ids`: hex, 32 digits, of the same author's items; `channel`: theirs. */
export type Erasure = { readonly channel: string; readonly ids: readonly string[] }

export const channelName: P.CoderType<string> = P.validate(P.string(P.U8), (name) => {
  if (!isChannelName(name)) throw new RangeError(`a channel's name has 1 to ${CHANNEL_NAME_BYTES_MAX} bytes`)
  return name
})

const erasure = P.struct({
  version: versionByte(VERSION),
  channel: channelName,
  ids: boundedList(P.bytes(ITEM_ID_BYTES), ERASED_AT_ONCE_MAX),
})

export function encodeErasure({ channel, ids }: Erasure): Uint8Array {
  return erasure.encode({ channel, ids: ids.map((id) => hexToBytes(id)) })
}

/** Returns `null` unless the erasure is well-formed. */
export function decodeErasure(payload: Uint8Array): Erasure | null {
  const decoded = decodeOrNull(erasure, payload)
  return decoded && { channel: decoded.channel, ids: decoded.ids.map((id) => bytesToHex(id)) }
}
