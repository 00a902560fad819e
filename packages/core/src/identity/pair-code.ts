/**
 * What two people compare to be sure of each other's keys: digits, words, and a text for a code to be scanned. All three are
 * over the two identity public keys alone, so they stay the same in every conference and under every name.
 */
import { pairCode, pairHash } from "@keymoot/gke"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import { base32nopad } from "@scure/base"
import type { PairCode, ScanResult } from "../api.ts"
import { equalBytes } from "../wire/index.ts"

/**
 * 11 bits each: 198 bits, as many as the 60 digits show. Fewer words would be quicker to read out and quicker to forge: who
 * stands in between may vary both keys that he shows until the codes agree, which takes the square root of all codes (2^99).
 */
const WORDS = 18
const WORD_BITS = 11n

const KEY_BYTES = 32
const SCAN_VERSION = 1
/** Capitals, digits and a colon: QR codes have a denser mode for these. */
const SCAN_PREFIX = "KEYMOOT:"
/** Longer texts are no code of ours, and are not decoded. */
const SCAN_CHARACTERS_MAX = 256

/** @param mine @param theirs raw Ed25519 public keys, different ones */
export async function pairCodeOf(mine: Uint8Array, theirs: Uint8Array): Promise<PairCode> {
  return { digits: pairCode(mine, theirs), words: await wordsOf(mine, theirs), scannable: scannableOf(mine, theirs) }
}

/** The low bits of the number whose low digits the digits are. The list is loaded when it is needed: it is 13 kB. */
async function wordsOf(mine: Uint8Array, theirs: Uint8Array): Promise<string[]> {
  const { wordlist } = await import("@scure/bip39/wordlists/english.js")
  const number = BigInt(`0x${bytesToHex(pairHash(mine, theirs))}`)
  return Array.from({ length: WORDS }, (_, i) => {
    const shift = WORD_BITS * BigInt(WORDS - 1 - i)
    return wordlist[Number((number >> shift) & ((1n << WORD_BITS) - 1n))]!
  })
}

/** Version, the key of whoever shows it, and the key that it is shown to. */
function scannableOf(mine: Uint8Array, theirs: Uint8Array): string {
  return SCAN_PREFIX + base32nopad.encode(concatBytes(Uint8Array.of(SCAN_VERSION), mine, theirs))
}

/**
 * What a text read from somebody's screen says about `theirs`. Whole keys are compared, not a code over them; and each in its
 * place, so that one's own code, held up as in a mirror, does not match.
 */
export function checkScan(text: string, mine: Uint8Array, theirs: Uint8Array): ScanResult {
  const bytes = text.length <= SCAN_CHARACTERS_MAX ? decodeScan(text) : null
  if (!bytes) return "not-a-code"
  const [shower, viewer] = [bytes.subarray(1, 1 + KEY_BYTES), bytes.subarray(1 + KEY_BYTES)]
  return equalBytes(shower, theirs) && equalBytes(viewer, mine) ? "match" : "other-person"
}

function decodeScan(text: string): Uint8Array | null {
  if (!text.startsWith(SCAN_PREFIX)) return null
  try {
    const bytes = base32nopad.decode(text.slice(SCAN_PREFIX.length))
    return bytes.length === 1 + 2 * KEY_BYTES && bytes[0] === SCAN_VERSION ? bytes : null
  } catch {
    return null
  }
}
