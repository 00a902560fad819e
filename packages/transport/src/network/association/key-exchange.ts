import { KEM_KEY_BYTES, KEM_RANDOM_BYTES, type Kem } from "../shared/kem.ts"
import { nobleX25519, type X25519 } from "../shared/x25519.ts"
import type { Role } from "./transcript.ts"

const NONE: Uint8Array = new Uint8Array(0)

export type Hybrid = {
  readonly kem: Kem
  /** 64 random bytes, used once. */
  readonly seed: Uint8Array
}
export type ExchangeConfig = {
  readonly role: Role
  /** 32 random bytes, used once. */
  readonly ephemeralSecret: Uint8Array
  /** Null in a conference without post-quantum protection. */
  readonly hybrid: Hybrid | null
  readonly x25519?: X25519 | undefined
}

export type ExchangeRefusal =
  "zero-secret" | "no-encapsulation-key" | "unexpected-encapsulation-key" | "bad-encapsulation-key" | "bad-ciphertext"

/**
 * Ephemeral keys of one end for one handshake or rekey. A hybrid exchange is X25519 and, with the initiator's key and
 * the responder's ciphertext, ML-KEM-768. The descriptor tells both ends which kind it is. An end that brings less is
 * refused, so nobody can downgrade it.
 *
 * All secrets are overwritten as soon as they are used.
 */
export class KeyExchange {
  readonly ephemeral: Uint8Array
  /** Sent by the initiator of a hybrid exchange. Otherwise empty. */
  readonly encapsulationKey: Uint8Array
  readonly #config: ExchangeConfig
  readonly #x25519: X25519
  readonly #decapsulationKey: Uint8Array
  readonly #secrets = { classicalSecret: NONE, kemSecret: NONE }
  #ciphertext = NONE

  constructor(config: ExchangeConfig) {
    const { role, ephemeralSecret, hybrid, x25519 = nobleX25519 } = config
    const pair = hybrid && role === "initiator" ? hybrid.kem.keyPair(hybrid.seed) : null
    this.#config = config
    this.#x25519 = x25519
    this.ephemeral = x25519.publicKey(ephemeralSecret)
    this.encapsulationKey = pair?.publicKey ?? NONE
    this.#decapsulationKey = pair?.secretKey ?? NONE
  }

  /** Sent by the responder of a hybrid exchange, once it has received. Otherwise empty. */
  get ciphertext(): Uint8Array {
    return this.#ciphertext
  }

  /** X25519's secret, from `receive` to `takeSecret`. */
  get classicalSecret(): Uint8Array {
    return this.#secrets.classicalSecret
  }

  /** Takes the peer's public keys. Null: accepted. */
  receive(ephemeral: Uint8Array, encapsulationKey: Uint8Array): ExchangeRefusal | null {
    const { role, hybrid, ephemeralSecret } = this.#config
    const expectedBytes = hybrid && role === "responder" ? KEM_KEY_BYTES : 0
    if (encapsulationKey.length < expectedBytes) return "no-encapsulation-key"
    if (encapsulationKey.length > expectedBytes) return "unexpected-encapsulation-key"
    const shared = this.#x25519.shared(ephemeralSecret, ephemeral)
    if (!shared) return "zero-secret"
    this.#secrets.classicalSecret = shared
    ephemeralSecret.fill(0)
    if (!hybrid || role === "initiator") return null
    const sealed = hybrid.kem.encapsulate(encapsulationKey, hybrid.seed.subarray(0, KEM_RANDOM_BYTES))
    hybrid.seed.fill(0)
    if (!sealed) return "bad-encapsulation-key"
    this.#ciphertext = sealed.ciphertext
    this.#secrets.kemSecret = sealed.shared
    return null
  }

  /** Takes the responder's ciphertext, at the initiator: empty unless the exchange is hybrid. Null: accepted. */
  receiveCiphertext(ciphertext: Uint8Array): ExchangeRefusal | null {
    const { hybrid } = this.#config
    if (!hybrid) return ciphertext.length === 0 ? null : "bad-ciphertext"
    const secret = hybrid.kem.decapsulate(this.#decapsulationKey, ciphertext)
    if (!secret) return "bad-ciphertext"
    this.#secrets.kemSecret = secret
    return null
  }

  /** ML-KEM's secret, if there is one, then X25519's. Call it once, when everything has been received. */
  takeSecret(): Uint8Array {
    const { kemSecret, classicalSecret } = this.#secrets
    if (classicalSecret.length === 0 || (this.#config.hybrid !== null && kemSecret.length === 0))
      throw new Error("the key exchange is not complete")
    // With a buffer of its own: V8 moves an array of up to 64 bytes, and does not overwrite the old location.
    const secret = new Uint8Array(new ArrayBuffer(kemSecret.length + classicalSecret.length))
    secret.set(kemSecret)
    secret.set(classicalSecret, kemSecret.length)
    this.forget()
    return secret
  }

  forget(): void {
    this.#config.ephemeralSecret.fill(0)
    this.#config.hybrid?.seed.fill(0)
    this.#decapsulationKey.fill(0)
    this.#secrets.classicalSecret.fill(0)
    this.#secrets.kemSecret.fill(0)
  }
}
