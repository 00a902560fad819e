/** Answers to STUN Binding requests, RFC 8489. Pure: the socket, the rates and the counters are the responder's. */
import { crc32 } from "node:zlib"
import { addressBytes } from "../addresses/network-address.ts"

/** The sender of a datagram, as the socket reports it. */
export interface Source {
  readonly address: string
  readonly port: number
}

/** Longer datagrams are dropped: the smallest that every IPv4 host takes (576 bytes), without its headers. */
export const REQUEST_BYTES_MAX = 548

/**
 * An answer is at most so many bytes longer than its request: one XOR-MAPPED-ADDRESS of IPv6. So a
 * request with a forged source sends the victim at most 2.2 times its own bytes: 44 for 20, without headers.
 */
export const ANSWER_GROWTH_BYTES_MAX = 24

const HEADER_BYTES = 20
const COOKIE_AT = 4
const TRANSACTION_AT = 8
const MAGIC_COOKIE = 0x2112a442
const BINDING_REQUEST = 0x0001
const BINDING_SUCCESS = 0x0101
const BINDING_ERROR = 0x0111

const MESSAGE_INTEGRITY = 0x0008
const ERROR_CODE = 0x0009
const UNKNOWN_ATTRIBUTES = 0x000a
const MESSAGE_INTEGRITY_SHA256 = 0x001c
const XOR_MAPPED_ADDRESS = 0x0020
const FINGERPRINT = 0x8028
/** Attributes from here on may be ignored by a server that does not know them. */
const COMPREHENSION_OPTIONAL = 0x8000
/**
 * The comprehension-required attributes of RFC 8489 itself: MAPPED-ADDRESS, USERNAME, MESSAGE-INTEGRITY, ERROR-CODE,
 * UNKNOWN-ATTRIBUTES, REALM, NONCE, MESSAGE-INTEGRITY-SHA256, PASSWORD-ALGORITHM, USERHASH and XOR-MAPPED-ADDRESS. This
 * server authenticates nobody, so it ignores them. CHANGE-REQUEST and RESPONSE-PORT, which would send the answer
 * elsewhere, are unknown on purpose.
 */
const KNOWN: ReadonlySet<number> = new Set([0x01, 0x06, 0x08, 0x09, 0x0a, 0x14, 0x15, 0x1c, 0x1d, 0x1e, 0x20])

const FINGERPRINT_BYTES = 8
const FINGERPRINT_XOR = 0x5354554e
const UNKNOWN_ATTRIBUTE_ERROR = [0, 0, 4, 20] as const

/** The parts of a well-formed Binding request that decide the answer. */
interface BindingRequest {
  readonly transaction: Uint8Array
  /** Comprehension-required attributes that this server does not know, each once. */
  readonly unknown: readonly number[]
  readonly hasFingerprint: boolean
}

/**
 * The answer to a datagram: a success with the sender's address, or error 420 with the unknown attributes. null: it is
 * no Binding request, is malformed, has a wrong FINGERPRINT, or comes from an address that cannot be answered.
 */
export function answerBinding(datagram: Uint8Array, source: Source): Uint8Array | null {
  const request = parse(datagram)
  const address = addressBytes(source.address)
  // No program has port 0; Node throws when it should send there.
  if (request === null || address === undefined || source.port === 0) return null
  const { transaction, unknown, hasFingerprint } = request
  const answer =
    unknown.length === 0
      ? message(BINDING_SUCCESS, transaction, [mappedAddress(address, source.port, transaction)])
      : message(BINDING_ERROR, transaction, [
          attribute(ERROR_CODE, UNKNOWN_ATTRIBUTE_ERROR),
          attribute(
            UNKNOWN_ATTRIBUTES,
            unknown.flatMap((type) => [type >> 8, type & 0xff]),
          ),
        ])
  return hasFingerprint ? withFingerprint(answer) : answer
}

function parse(datagram: Uint8Array): BindingRequest | null {
  const { length } = datagram
  if (length < HEADER_BYTES || length > REQUEST_BYTES_MAX || length % 4 !== 0) return null
  const view = viewOf(datagram)
  if (view.getUint16(0) !== BINDING_REQUEST || view.getUint16(2) !== length - HEADER_BYTES) return null
  if (view.getUint32(COOKIE_AT) !== MAGIC_COOKIE) return null
  const unknown = new Set<number>()
  let [isSealed, hasFingerprint] = [false, false]
  for (let at = HEADER_BYTES; at < length;) {
    const [type, valueBytes] = [view.getUint16(at), view.getUint16(at + 2)]
    const next = at + 4 + Math.ceil(valueBytes / 4) * 4
    if (next > length) return null
    if (type === FINGERPRINT) {
      hasFingerprint = next === length && valueBytes === 4 && view.getUint32(at + 4) === fingerprintOf(datagram, at)
      if (!hasFingerprint) return null
    }
    // Attributes behind MESSAGE-INTEGRITY are not the sender's (section 14.5), so they are ignored.
    if (type < COMPREHENSION_OPTIONAL && !isSealed && !KNOWN.has(type)) unknown.add(type)
    isSealed ||= type === MESSAGE_INTEGRITY || type === MESSAGE_INTEGRITY_SHA256
    at = next
  }
  const transaction = datagram.subarray(TRANSACTION_AT, HEADER_BYTES)
  return { transaction, unknown: [...unknown], hasFingerprint }
}

function mappedAddress(address: Uint8Array, port: number, transaction: Uint8Array): Uint8Array {
  const value = new Uint8Array(4 + address.length)
  const view = viewOf(value)
  view.setUint8(1, address.length === 4 ? 1 : 2)
  view.setUint16(2, port ^ (MAGIC_COOKIE >>> 16))
  const mask = new Uint8Array(4 + transaction.length)
  viewOf(mask).setUint32(0, MAGIC_COOKIE)
  mask.set(transaction, 4)
  value.set(
    address.map((byte, i) => byte ^ mask[i]!),
    4,
  )
  return attribute(XOR_MAPPED_ADDRESS, value)
}

/** The length in it is that of the value; zeros pad it to whole words. */
function attribute(type: number, value: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(4 + Math.ceil(value.length / 4) * 4)
  viewOf(bytes).setUint16(0, type)
  viewOf(bytes).setUint16(2, value.length)
  bytes.set(value, 4)
  return bytes
}

function message(type: number, transaction: Uint8Array, attributes: readonly Uint8Array[]): Uint8Array {
  const header = new Uint8Array(HEADER_BYTES)
  const view = viewOf(header)
  view.setUint16(0, type)
  view.setUint32(COOKIE_AT, MAGIC_COOKIE)
  header.set(transaction, TRANSACTION_AT)
  const whole = Buffer.concat([header, ...attributes])
  return withLength(whole, whole.length - HEADER_BYTES)
}

/** The CRC covers a header whose length already counts the FINGERPRINT. */
function withFingerprint(answer: Uint8Array): Uint8Array {
  const value = new Uint8Array(4)
  const counted = withLength(answer, answer.length - HEADER_BYTES + FINGERPRINT_BYTES)
  viewOf(value).setUint32(0, fingerprintOf(counted, counted.length))
  return Buffer.concat([counted, attribute(FINGERPRINT, value)])
}

function withLength(whole: Uint8Array, byteCount: number): Uint8Array {
  viewOf(whole).setUint16(2, byteCount)
  return whole
}

function fingerprintOf(whole: Uint8Array, byteCount: number): number {
  return (crc32(whole.subarray(0, byteCount)) ^ FINGERPRINT_XOR) >>> 0
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
