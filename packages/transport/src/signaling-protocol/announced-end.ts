import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { ANNOUNCED_END_BYTES, SIGNATURE_BYTES } from "./limits.ts"

const TIMES_BYTES = ANNOUNCED_END_BYTES - SIGNATURE_BYTES

/** Milliseconds since 1970. */
export type EndTimes = {
  /** End of the conference. Its start means "now", by every clock. */
  readonly endsAtMs: number
  /** Time of the announcement by its creator's clock. A later announcement replaces an earlier one. */
  readonly saidAtMs: number
}

/**
 * The bytes that the creator of a conference signs to announce its end to people outside. The id binds them to the
 * descriptor, so an announcement of another conference is invalid here.
 * @param id 32 hex digits
 */
export function endSigningBytes(id: string, times: EndTimes): Uint8Array {
  const domain = utf8ToBytes("keymoot v1 announced end")
  // The leading length prevents one domain from being a prefix of another. All other parts have fixed lengths.
  return concatBytes(Uint8Array.of(domain.length), domain, hexToBytes(id), encodeTimes(times))
}

/** The announcement: both times and the signature over `endSigningBytes`. */
export function encodeAnnouncedEnd(times: EndTimes, signature: Uint8Array): Uint8Array {
  return concatBytes(encodeTimes(times), signature)
}

/** Returns null for another length, and for a time that is no safe integer. The signature is not verified. */
export function decodeAnnouncedEnd(bytes: Uint8Array): { times: EndTimes; signature: Uint8Array } | null {
  if (bytes.length !== ANNOUNCED_END_BYTES) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [endsAtMs, saidAtMs] = [Number(view.getBigUint64(0)), Number(view.getBigUint64(8))]
  if (!Number.isSafeInteger(endsAtMs) || !Number.isSafeInteger(saidAtMs)) return null
  return { times: { endsAtMs, saidAtMs }, signature: bytes.slice(TIMES_BYTES) }
}

function encodeTimes({ endsAtMs, saidAtMs }: EndTimes): Uint8Array {
  const bytes = new Uint8Array(TIMES_BYTES)
  const view = new DataView(bytes.buffer)
  view.setBigUint64(0, BigInt(endsAtMs))
  view.setBigUint64(8, BigInt(saidAtMs))
  return bytes
}
