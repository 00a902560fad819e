/**
 * Codes that two people compare to verify each other's keys: digits, words, and a text for a QR code. All three cover
 * the two identity public keys alone, so they are equal in every conference and under every name.
 */
import { pairCode, pairHash } from "@keymoot/gke"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import { base32nopad } from "@scure/base"
import type { PairCode, ScanResult } from "../api/index.ts"
import { decodeOrNull, equalBytes } from "../wire/index.ts"

/**
 * 18 words of 11 bits show 198 bits, as many as the 60 digits. Fewer words would be quicker to read aloud and to forge.
 * A man in the middle may vary both of its keys until the codes agree. That takes the square root of all codes (2^99).
 */
const WORDS = 18
const WORD_BITS = 11n

const KEY_BYTES = 32
const SCAN_VERSION = 1
/** QR codes encode capitals, digits and a colon more densely. */
const SCAN_PREFIX = "KEYMOOT:"
/** Longer texts are not decoded. */
const SCAN_CHARACTERS_MAX = 256

/** @param mine @param theirs raw Ed25519 public keys, which must differ */
export async function pairCodeOf(mine: Uint8Array, theirs: Uint8Array): Promise<PairCode> {
  return { digits: pairCode(mine, theirs), words: await wordsOf(mine, theirs), scannable: scannableOf(mine, theirs) }
}

/** Words of the number's low bits. Its low digits are the digits' code. The list (13 kB) is loaded on demand. */
async function wordsOf(mine: Uint8Array, theirs: Uint8Array): Promise<string[]> {
  const { wordlist } = await import("@scure/bip39/wordlists/english.js")
  const number = BigInt(`0x${bytesToHex(pairHash(mine, theirs))}`)
  return Array.from({ length: WORDS }, (_, i) => {
    const shift = WORD_BITS * BigInt(WORDS - 1 - i)
    return wordlist[Number((number >> shift) & ((1n << WORD_BITS) - 1n))]!
  })
}

/** Version, the key of the person that shows the code, and the key of the person that scans it. */
function scannableOf(mine: Uint8Array, theirs: Uint8Array): string {
  return SCAN_PREFIX + base32nopad.encode(concatBytes(Uint8Array.of(SCAN_VERSION), mine, theirs))
}

/**
 * Checks a scanned text against `theirs`. It compares whole keys, not a code of them, each in its position. So the own
 * code, reflected by an attacker, does not match.
 */
export function checkScan(text: string, mine: Uint8Array, theirs: Uint8Array): ScanResult {
  const bytes = text.length <= SCAN_CHARACTERS_MAX ? decodeScan(text) : null
  if (!bytes) return "not-a-code"
  const [shower, viewer] = [bytes.subarray(1, 1 + KEY_BYTES), bytes.subarray(1 + KEY_BYTES)]
  return equalBytes(shower, theirs) && equalBytes(viewer, mine) ? "match" : "other-person"
}

function decodeScan(text: string): Uint8Array | null {
  const bytes = text.startsWith(SCAN_PREFIX) ? decodeOrNull(base32nopad, text.slice(SCAN_PREFIX.length)) : null
  return bytes?.length === 1 + 2 * KEY_BYTES && bytes[0] === SCAN_VERSION ? bytes : null
}
