import { xchacha20poly1305 } from "@noble/ciphers/chacha.js"
import { concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { bounded, certificateBytes, safeInteger, tryDecode } from "../../wire/codec.ts"
import { scoped, type Scope } from "../shared/scope.ts"
import { CARD_EXTENSION_BYTES_MAX, SEALED_BYTES_MAX } from "../../bounds/network-bounds.ts"
import { protocolCoder, type Protocol } from "../shared/protocol.ts"

/**
 * States how a member can be reached through the room, from one `room-enter` to the next.
 *
 * Members of every protocol version read each other's cards. So the card, the advertisement, the envelope of a signal
 * and the `hello` never change their format. Later versions may use `extension`.
 */
export type RoomCard = {
  /** First field, since it determines how to read everything else from this member. */
  readonly protocol: Protocol
  /** DER. */
  readonly certificate: Uint8Array
  readonly incarnation: number
  /**
   * Number of the room entry in this incarnation, from 1. The newer card wins, so replaying an older one changes
   * nothing.
   */
  readonly entry: number
  /** Room address, 16 bytes. Signed, so the server cannot pin one member's card to another's address. */
  readonly address: Uint8Array
  /** X25519, 32 bytes: the key to which signals to this member are sealed. */
  readonly ephemeral: Uint8Array
  /** 16 bytes, which signals to this member must repeat. */
  readonly nonce: Uint8Array
  /** Empty in this version, and ignored. */
  readonly extension: Uint8Array
}

export const card: P.CoderType<RoomCard> = P.struct({
  protocol: protocolCoder,
  certificate: certificateBytes,
  incarnation: safeInteger,
  entry: safeInteger,
  address: P.bytes(16),
  ephemeral: P.bytes(32),
  nonce: P.bytes(16),
  extension: P.bytes(bounded(P.U16BE, CARD_EXTENSION_BYTES_MAX)),
})

/** Version of the advertisement's format, not of the protocol: equal in every protocol version. */
const FORMAT = 1
const NONCE_BYTES = 24
const signedCard = P.struct({ signature: P.bytes(64), card: P.bytes(null) })

/** An opened advertisement. Verified is only that its maker holds the invitation. */
export type OpenedAdvertisement = {
  readonly card: RoomCard
  readonly signature: Uint8Array
  readonly signed: Uint8Array
}

/** The bytes that the identity signs in an advertisement. */
export function signedByCard(scope: Scope, own: RoomCard): Uint8Array {
  return scoped("advertisement", scope, card.encode(own))
}

/** `nonce` is 24 random bytes. Many members seal under this one key, so it must be long enough never to repeat. */
export function sealAdvertisement(
  key: Uint8Array,
  scope: Scope,
  own: RoomCard,
  signature: Uint8Array,
  nonce: Uint8Array,
): Uint8Array {
  const sealed = cipher(key, scope, nonce).encrypt(signedCard.encode({ signature, card: card.encode(own) }))
  return concatBytes(Uint8Array.of(FORMAT), nonce, sealed)
}

/** `null` for bytes that no holder of the invitation has made for this conference. */
export function openAdvertisement(key: Uint8Array, scope: Scope, bytes: Uint8Array): OpenedAdvertisement | null {
  if (bytes.length < 1 + NONCE_BYTES + 16 || bytes.length > SEALED_BYTES_MAX || bytes[0] !== FORMAT) return null
  let plain: Uint8Array
  try {
    plain = cipher(key, scope, bytes.subarray(1, 1 + NONCE_BYTES)).decrypt(bytes.subarray(1 + NONCE_BYTES))
  } catch {
    return null
  }
  const parts = tryDecode(signedCard, plain)
  const opened = parts && tryDecode(card, parts.card)
  return opened && { card: opened, signature: parts.signature, signed: scoped("advertisement", scope, parts.card) }
}

/** Negative if `a` is the older card. */
export function compareAge(a: RoomCard, b: RoomCard): number {
  return a.incarnation - b.incarnation || a.entry - b.entry
}

function cipher(key: Uint8Array, scope: Scope, nonce: Uint8Array) {
  return xchacha20poly1305(key, nonce, scoped("advertisement seal", scope))
}
