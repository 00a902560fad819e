import { xchacha20poly1305 } from "@noble/ciphers/chacha.js"
import { concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { SEALED_BYTES_MAX } from "./bounds.ts"
import { certificateBytes, decodeOrNull, safeInteger } from "./codec.ts"
import { scoped, type Scope } from "./scope.ts"

/** How a member can be reached through the room: valid from one `room-enter` to the next. */
export type Card = {
  /** DER. */
  readonly certificate: Uint8Array
  readonly incarnation: number
  /** Which room entry of this incarnation, from 1: the newer card wins, so replaying an older one changes nothing. */
  readonly entry: number
  /** Room address, 16 bytes. Signed, so the server cannot pin one member's card to another's address. */
  readonly address: Uint8Array
  /** X25519, 32 bytes: what signals to this member are sealed to. */
  readonly ephemeral: Uint8Array
  /** 16 bytes: what signals to this member must repeat. */
  readonly nonce: Uint8Array
}

export const card: P.CoderType<Card> = P.struct({
  certificate: certificateBytes,
  incarnation: safeInteger,
  entry: safeInteger,
  address: P.bytes(16),
  ephemeral: P.bytes(32),
  nonce: P.bytes(16),
})

const VERSION = 1
const NONCE_BYTES = 24
const signedCard = P.struct({ signature: P.bytes(64), card: P.bytes(null) })

/** An opened advertisement. Nothing about it is verified but that its maker holds the invitation. */
export type OpenedAdvertisement = { readonly card: Card; readonly signature: Uint8Array; readonly signed: Uint8Array }

/** What the identity signs in an advertisement. */
export function signedByCard(scope: Scope, own: Card): Uint8Array {
  return scoped("advertisement", scope, card.encode(own))
}

/** `nonce` is 24 random bytes: many members seal under this one key, so it must be too long to repeat. */
export function sealAdvertisement(
  key: Uint8Array,
  scope: Scope,
  own: Card,
  signature: Uint8Array,
  nonce: Uint8Array,
): Uint8Array {
  const sealed = cipher(key, scope, nonce).encrypt(signedCard.encode({ signature, card: card.encode(own) }))
  return concatBytes(Uint8Array.of(VERSION), nonce, sealed)
}

/** `null` for whatever no holder of the invitation has made for this conference. */
export function openAdvertisement(key: Uint8Array, scope: Scope, bytes: Uint8Array): OpenedAdvertisement | null {
  if (bytes.length < 1 + NONCE_BYTES + 16 || bytes.length > SEALED_BYTES_MAX || bytes[0] !== VERSION) return null
  let plain: Uint8Array
  try {
    plain = cipher(key, scope, bytes.subarray(1, 1 + NONCE_BYTES)).decrypt(bytes.subarray(1 + NONCE_BYTES))
  } catch {
    return null
  }
  const parts = decodeOrNull(signedCard, plain)
  const opened = parts && decodeOrNull(card, parts.card)
  return opened && { card: opened, signature: parts.signature, signed: scoped("advertisement", scope, parts.card) }
}

/** Negative: `a` is the older. */
export function compareAge(a: Card, b: Card): number {
  return a.incarnation - b.incarnation || a.entry - b.entry
}

function cipher(key: Uint8Array, scope: Scope, nonce: Uint8Array) {
  return xchacha20poly1305(key, nonce, scoped("advertisement seal", scope))
}
