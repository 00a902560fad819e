/** Writes DER, and forms near to it that decoders must refuse. */
import { numberToHexUnpadded } from "@noble/curves/utils.js"
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js"

export function value(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const bytes = concatBytes(...content)
  const { length } = bytes
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return concatBytes(Uint8Array.of(tag, ...head), bytes)
}

/** A value below 128 bytes with its length in two bytes, where one suffices. */
export function withLongLength(der: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(der[0]!, 0x81), der.subarray(1))
}

export function sequence(...content: readonly Uint8Array[]): Uint8Array {
  return value(0x30, ...content)
}

export function integer(number: bigint): Uint8Array {
  const bytes = hexToBytes(numberToHexUnpadded(number).replace(/^(?=.(..)*$)/u, "0"))
  return value(2, bytes[0]! < 0x80 ? bytes : concatBytes(Uint8Array.of(0), bytes))
}

/** An INTEGER with a zero byte that it does not need. */
export function paddedInteger(number: bigint): Uint8Array {
  return value(2, Uint8Array.of(0), integer(number).subarray(2))
}

/** Without the zero byte that a high first bit needs, so that the number is negative. */
export function unsignedInteger(number: bigint): Uint8Array {
  const der = integer(number)
  return der[2] === 0 ? value(2, der.subarray(3)) : der
}

export function bitString(bytes: Uint8Array): Uint8Array {
  return value(3, Uint8Array.of(0), bytes)
}
