import {
  REKEY_APART_BYTES,
  REKEY_APART_MS,
  REKEY_BYTES,
  REKEY_MS,
  REKEY_OVERDUE_BYTES,
  REKEY_OVERLAP_MS,
} from "../../bounds/network-bounds.ts"
import type { Control } from "../messages/control.ts"
import { KEM_SEED_BYTES, type Kem } from "../shared/kem.ts"
import { nobleX25519, type X25519 } from "../shared/x25519.ts"
import { createHop, type Hop, type HopRefusal } from "./hop.ts"
import { KeyExchange } from "./key-exchange.ts"
import { nextHopKeys, type RekeyTranscript, type Role } from "./transcript.ts"
import type { Randomness } from "../shared/randomness.ts"

export type RekeyRefusal = "bad-rekey" | "early-rekey" | "overdue-rekey"
type RekeyControl = Extract<Control, { readonly kind: "rekeyOffer" | "rekeyAnswer" | "rekeyDone" }>
type Handled =
  | { readonly refused: RekeyRefusal }
  /** Send `last` under the present keys, then call `switchSending`. */
  | { readonly last: Control | null; readonly switchSending: () => void }

const NONE: Uint8Array = new Uint8Array(0)

/**
 * Changes the keys of an association, make-before-break. The association's initiator offers a fresh ephemeral key when
 * the keys are old enough. The answer is the responder's last frame under the former keys, and "done" is the
 * initiator's. Reliable frames are ordered, so each end knows exactly which frame is the first under the new keys.
 *
 *   initiator: OFFER    …          DONE | new keys
 *   responder:           ANSWER | new keys
 *
 * With `kem` the exchange is hybrid like the handshake. So a later break of X25519 gives no keys, also to somebody that
 * has stolen the former ones.
 */
export class Rekey {
  readonly #role: Role
  readonly #random: Randomness
  readonly #kem: Kem | null
  readonly #x25519: X25519
  #sending: Hop
  #receiving: Hop
  /** Accepted for unreliable frames for a while, since those sent before the change arrive after it. */
  #former: { readonly hop: Hop; readonly untilMs: number } | null = null
  #pending: KeyExchange | null = null
  /** Agreed keys that the initiator does not use yet. */
  #next: Hop | null = null
  #bytes = 0
  #sinceMs: number
  /** When the last offer came, or when the link began. The frames that follow the offer may take long to arrive. */
  #takenMs: number

  constructor(hop: Hop, role: Role, random: Randomness, nowMs: number, kem: Kem | null, x25519 = nobleX25519) {
    this.#role = role
    this.#random = random
    this.#kem = kem
    this.#x25519 = x25519
    this.#sending = hop
    this.#receiving = hop
    this.#sinceMs = nowMs
    this.#takenMs = nowMs
  }

  /** Returns an offer if one is due. */
  tick(nowMs: number): Control | null {
    if (this.#former && nowMs >= this.#former.untilMs) this.#forgetFormer()
    const due = this.#bytes >= REKEY_BYTES || nowMs - this.#sinceMs >= REKEY_MS
    if (!due || this.#role === "responder" || this.#pending) return null
    const { ephemeral, encapsulationKey } = (this.#pending = this.#exchange())
    return { kind: "rekeyOffer", ephemeral, encapsulationKey }
  }

  seal(plain: Uint8Array): Uint8Array {
    this.#bytes += plain.length
    return this.#sending.sealer.seal(plain)
  }

  sealUnreliable(plain: Uint8Array): Uint8Array {
    this.#bytes += plain.length
    return this.#sending.unreliableSealer.seal(plain)
  }

  open(frame: Uint8Array): Uint8Array | { readonly refused: HopRefusal | RekeyRefusal } {
    this.#bytes += frame.length
    if (this.#bytes > REKEY_OVERDUE_BYTES) return { refused: "overdue-rekey" }
    return this.#receiving.opener.open(frame)
  }

  openUnreliable(frame: Uint8Array): Uint8Array | null {
    for (const hop of [this.#receiving, this.#next, this.#former?.hop]) {
      const plain = hop?.unreliableOpener.open(frame)
      if (plain instanceof Uint8Array) {
        this.#bytes += plain.length
        return plain
      }
    }
    return null
  }

  handle(control: RekeyControl, nowMs: number): Handled {
    if (control.kind === "rekeyOffer") return this.#handleOffer(control, nowMs)
    if (control.kind === "rekeyAnswer") return this.#handleAnswer(control, nowMs)
    if (!this.#next) return { refused: "bad-rekey" }
    this.#becomeReceiving(this.#next, nowMs)
    this.#next = null
    return { last: null, switchSending: () => undefined }
  }

  #handleOffer(theirs: RekeyControl & { kind: "rekeyOffer" }, nowMs: number): Handled {
    if (this.#role !== "responder" || this.#next) return { refused: "bad-rekey" }
    // Checked before anything is computed: an offer costs its sender nothing.
    const isEarly = nowMs - this.#takenMs < REKEY_APART_MS && this.#bytes < REKEY_APART_BYTES
    if (isEarly) return { refused: "early-rekey" }
    this.#takenMs = nowMs
    const exchange = this.#exchange()
    const { ephemeral, encapsulationKey } = theirs
    if (exchange.receive(ephemeral, encapsulationKey)) return { refused: "bad-rekey" }
    const ephemerals = { initiator: ephemeral, responder: exchange.ephemeral }
    const { ciphertext } = exchange
    const next = this.#hopOf(exchange, { ephemerals, encapsulationKey, ciphertext })
    this.#next = next
    return {
      last: { kind: "rekeyAnswer", ephemeral: exchange.ephemeral, ciphertext },
      switchSending: () => (this.#sending = next),
    }
  }

  #handleAnswer({ ephemeral, ciphertext }: RekeyControl & { kind: "rekeyAnswer" }, nowMs: number): Handled {
    const exchange = this.#pending
    if (!exchange || exchange.receive(ephemeral, NONE) || exchange.receiveCiphertext(ciphertext))
      return { refused: "bad-rekey" }
    const ephemerals = { initiator: exchange.ephemeral, responder: ephemeral }
    const { encapsulationKey } = exchange
    const next = this.#hopOf(exchange, { ephemerals, encapsulationKey, ciphertext })
    this.#pending = null
    this.#becomeReceiving(next, nowMs)
    return { last: { kind: "rekeyDone" }, switchSending: () => (this.#sending = next) }
  }

  #becomeReceiving(hop: Hop, nowMs: number): void {
    this.#forgetFormer()
    this.#former = { hop: this.#receiving, untilMs: nowMs + REKEY_OVERLAP_MS }
    this.#receiving = hop
    this.#bytes = 0
    this.#sinceMs = nowMs
  }

  #exchange(): KeyExchange {
    const hybrid = this.#kem && { kem: this.#kem, seed: this.#random.bytes(KEM_SEED_BYTES) }
    const ephemeralSecret = this.#random.bytes(32)
    return new KeyExchange({ role: this.#role, ephemeralSecret, hybrid, x25519: this.#x25519 })
  }

  #hopOf(exchange: KeyExchange, transcript: RekeyTranscript): Hop {
    const secret = exchange.takeSecret()
    const keys = nextHopKeys(secret, this.#receiving.associationId, transcript)
    secret.fill(0)
    return createHop(keys, this.#role, this.#receiving.cipher)
  }

  #forgetFormer(): void {
    this.#former?.hop.forget()
    this.#former = null
  }

  /** Overwrites all keys. */
  forget(): void {
    for (const hop of [this.#sending, this.#receiving, this.#next]) hop?.forget()
    this.#forgetFormer()
    this.#pending?.forget()
  }
}
