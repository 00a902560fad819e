import { chacha20poly1305 } from "@noble/ciphers/chacha.js"
import { equalBytes } from "@noble/ciphers/utils.js"
import { hkdf } from "@noble/hashes/hkdf.js"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { type MemberId, memberIdFromBytes, memberIdToBytes } from "../../members/ids.ts"
import {
  NEW_SENDERS_BURST,
  NEW_SENDERS_PER_SECOND,
  SEALED_BYTES_MAX,
  SENDERS_MAX,
} from "../../bounds/network-bounds.ts"
import type { RoomAddress } from "../../port/port.ts"
import type { RoomCard } from "./room-card.ts"
import { safeInteger, tryDecode } from "../../wire/codec.ts"
import type { InvitationKeys, Keyring } from "../shared/keyring.ts"
import { LruMap } from "../shared/lru-map.ts"
import { RateLimit } from "../shared/rate-limit.ts"
import { scoped, type Scope } from "../shared/scope.ts"
import { nobleX25519, type X25519 } from "../shared/x25519.ts"

/**
 * A signal in transit: header, ciphertext, MAC. The server sees two public keys and a nonce, from which it learns
 * nothing.
 *
 * A message of a stranger costs one HMAC for each generation of the invitation. A replay by the server costs one
 * look-up more. Only holders of the invitation can cause a Diffie-Hellman or a signature check.
 */
type Header = {
  /** The nonce in the recipient's card. It proves that the signal is younger than the recipient's room entry. */
  readonly recipientNonce: Uint8Array
  readonly senderEphemeral: Uint8Array
  /** Strictly increasing per sender ephemeral, over all recipients. Also the AEAD nonce. */
  readonly counter: number
}
/**
 * Version of the envelope's format, not of the protocol: equal in every version, since a `hello` travels in an
 * envelope.
 */
const FORMAT = 1
const HEADER_BYTES = 57
const MAC_BYTES = 32
const header: P.CoderType<Header> = P.apply(
  P.struct({
    format: P.magicBytes(Uint8Array.of(FORMAT)),
    recipientNonce: P.bytes(16),
    senderEphemeral: P.bytes(32),
    counter: safeInteger,
  }),
  {
    encode: ({ recipientNonce, senderEphemeral, counter }) => ({ recipientNonce, senderEphemeral, counter }),
    decode: (fields: Header) => ({ format: undefined, ...fields }),
  },
)
const sealedPart = P.struct({ from: P.bytes(16), signature: P.bytes(64), body: P.bytes(null) })

/** `other-key`: the address has sent under another key. `new-senders`: too many addresses have sent for the first time. */
export type EnvelopeRefusal =
  "malformed" | "mac" | "stale-nonce" | "other-key" | "new-senders" | "replayed" | "unsealable"

/** Opened, but not yet verified: the caller checks `signature` over `signed` by `from`. */
export type OpenedEnvelope = {
  readonly senderEphemeral: Uint8Array
  readonly from: MemberId
  readonly signature: Uint8Array
  readonly signed: Uint8Array
  readonly body: Uint8Array
  /** The keys under which it came. */
  readonly keys: InvitationKeys
}

/** A signal that waits for its signature. */
export type Draft = { readonly signed: Uint8Array; seal(signature: Uint8Array): Uint8Array }

export type EnvelopesConfig = {
  readonly scope: Scope
  readonly keyring: Keyring
  readonly self: MemberId
  /** 32 and 16 random bytes, fresh at each room entry. */
  readonly ephemeralSecret: Uint8Array
  readonly nonce: Uint8Array
  readonly x25519?: X25519 | undefined
}

type Sender = { readonly key: Uint8Array; highest: number }

/** Makes and opens the envelopes of one room entry. Holds its ephemeral key, its nonce and its counters. */
export class Envelopes {
  readonly ephemeral: Uint8Array
  readonly nonce: Uint8Array
  readonly #config: EnvelopesConfig
  readonly #x25519: X25519
  /** By sender ephemeral. */
  readonly #senders = new LruMap<string, Sender>(SENDERS_MAX)
  /** Sender ephemeral of each room address. */
  readonly #ephemerals = new LruMap<RoomAddress, string>(SENDERS_MAX)
  /** Addresses that send for the first time. Each costs a Diffie-Hellman. */
  readonly #newSenders = new RateLimit(NEW_SENDERS_BURST, NEW_SENDERS_PER_SECOND)
  #counter = 0

  constructor(config: EnvelopesConfig) {
    this.#config = config
    this.nonce = config.nonce
    this.#x25519 = config.x25519 ?? nobleX25519
    this.ephemeral = this.#x25519.publicKey(config.ephemeralSecret)
  }

  /** `keys`: of an invitation that the recipient holds. `null` if the recipient's ephemeral key is degenerate. */
  draft(to: MemberId, recipient: RoomCard, keys: InvitationKeys, body: Uint8Array): Draft | null {
    const key = this.#pairKey(recipient.ephemeral, this.ephemeral, recipient.ephemeral, recipient.nonce)
    if (key === null) return null
    const { scope, self } = this.#config
    this.#counter += 1
    const counter = this.#counter
    const head = header.encode({ recipientNonce: recipient.nonce, senderEphemeral: this.ephemeral, counter })
    const from = memberIdToBytes(self)
    const seal = (signature: Uint8Array): Uint8Array => {
      const ciphertext = aead(key, counter, head).encrypt(sealedPart.encode({ from, signature, body }))
      return concatBytes(head, ciphertext, mac(keys.signal, scope, head, ciphertext))
    }
    return { signed: signedBytes(scope, self, to, head, body), seal }
  }

  /**
   * `from`: as the server says. An honest member has one key for each address. Otherwise each signal of a holder of the
   * invitation could cost a Diffie-Hellman, and many of them the time in which a heartbeat is due.
   */
  open(bytes: Uint8Array, from: RoomAddress, nowMs: number): OpenedEnvelope | { readonly refused: EnvelopeRefusal } {
    if (bytes.length < HEADER_BYTES + MAC_BYTES || bytes.length > SEALED_BYTES_MAX) return { refused: "malformed" }
    const { scope, keyring, self, nonce } = this.#config
    const head = bytes.subarray(0, HEADER_BYTES)
    const ciphertext = bytes.subarray(HEADER_BYTES, bytes.length - MAC_BYTES)
    const tag = bytes.subarray(bytes.length - MAC_BYTES)
    const keys = keyring.all.find(({ signal }) => equalBytes(mac(signal, scope, head, ciphertext), tag))
    if (keys === undefined) return { refused: "mac" }
    const fields = tryDecode(header, head)
    if (fields === null) return { refused: "malformed" }
    if (!equalBytes(fields.recipientNonce, nonce)) return { refused: "stale-nonce" }

    const { senderEphemeral, counter } = fields
    const name = bytesToHex(senderEphemeral)
    const known = this.#senders.peek(name)
    if (known !== undefined && counter <= known.highest) return { refused: "replayed" }
    const bound = this.#ephemerals.peek(from)
    // Also refuses a key under which nothing opened: the holder of the invitation that uses it is not honest.
    if (bound !== undefined && (bound !== name || !known)) return { refused: "other-key" }
    if (!known && !this.#newSenders.take(nowMs)) return { refused: "new-senders" }
    this.#ephemerals.set(from, name)
    const key = known?.key ?? this.#pairKey(senderEphemeral, senderEphemeral, this.ephemeral, nonce)
    if (key === null) return { refused: "unsealable" }
    const plain = openOrNull(key, counter, head, ciphertext)
    const parts = plain && tryDecode(sealedPart, plain)
    if (!parts) return { refused: "unsealable" }
    this.#senders.set(name, { key, highest: counter })
    const sender = memberIdFromBytes(parts.from)
    const signed = signedBytes(scope, sender, self, head, parts.body)
    return { senderEphemeral, from: sender, signature: parts.signature, signed, body: parts.body, keys }
  }

  /** Overwrites the secrets when the room entry is over. Afterwards nothing can be drafted or opened. */
  forget(): void {
    this.#config.ephemeralSecret.fill(0)
    for (const [, { key }] of this.#senders.entries()) key.fill(0)
    this.#senders.clear()
    this.#ephemerals.clear()
  }

  /** One key per direction: the sender's ephemeral comes first. */
  #pairKey(
    theirs: Uint8Array,
    sender: Uint8Array,
    recipient: Uint8Array,
    recipientNonce: Uint8Array,
  ): Uint8Array | null {
    const shared = this.#x25519.shared(this.#config.ephemeralSecret, theirs)
    if (!shared) return null
    const info = scoped("signal seal", this.#config.scope, sender, recipient)
    return hkdf(sha256, shared, recipientNonce, info, 32)
  }
}

function mac(key: Uint8Array, scope: Scope, head: Uint8Array, ciphertext: Uint8Array): Uint8Array {
  return hmac(sha256, key, scoped("signal mac", scope, head, ciphertext))
}

function signedBytes(scope: Scope, from: MemberId, to: MemberId, head: Uint8Array, body: Uint8Array): Uint8Array {
  return scoped("signal", scope, memberIdToBytes(from), memberIdToBytes(to), head, body)
}

function openOrNull(key: Uint8Array, counter: number, head: Uint8Array, ciphertext: Uint8Array): Uint8Array | null {
  try {
    return aead(key, counter, head).decrypt(ciphertext)
  } catch {
    return null
  }
}

function aead(key: Uint8Array, counter: number, head: Uint8Array) {
  const nonce = new Uint8Array(12)
  new DataView(nonce.buffer).setBigUint64(4, BigInt(counter))
  return chacha20poly1305(key, nonce, head)
}
