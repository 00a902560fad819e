import { bytesToHex } from "@noble/hashes/utils.js"

/**
 * The y coordinates of the points of order 1, 2, 4 and 8, little-endian without the sign bit, and those that are the same
 * once more in a non-canonical encoding (y + p).
 */
const SMALL_ORDER_Y = new Set([
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
])

/**
 * Whether an Ed25519 public key has small order. One signature then verifies over many messages, or over all, so whoever
 * published the key could disown, and anybody could forge, what it "signed". WebCrypto's specification demands the refusal at
 * verification, but not every engine in use follows it.
 * @param publicKey 32 bytes.
 */
export function isSmallOrder(publicKey: Uint8Array): boolean {
  const y = publicKey.slice()
  y[31] = y[31]! & 0x7f
  return SMALL_ORDER_Y.has(bytesToHex(y))
}
