import { x25519 } from "@noble/curves/ed25519.js"
import {
  REKEY_APART_BYTES,
  REKEY_APART_MS,
  REKEY_BYTES,
  REKEY_MS,
  REKEY_OVERDUE_BYTES,
  REKEY_OVERLAP_MS,
} from "../../bounds/network-bounds.ts"
import type { Control } from "../messages/control.ts"
import { createHop, type Hop, type HopRefusal } from "./hop.ts"
import { nextHopKeys, otherRole, type Role } from "./transcript.ts"

export type RekeyRefusal = "bad-rekey" | "early-rekey" | "overdue-rekey"
type RekeyControl = Extract<Control, { readonly kind: "rekeyOffer" | "rekeyAnswer" | "rekeyDone" }>
type Handled =
  | { readonly refused: RekeyRefusal }
  /** Send `last` under the present keys, then call `switchSending`. */
  | { readonly last: Control | null; readonly switchSending: () => void }

/**
 * Changes the keys of an association, make-before-break. The association's initiator offers a fresh ephemeral key when
 * the keys are old enough. The answer is the responder's last frame under the former keys, and "done" is the
 * initiator's. The lane is ordered, so each end knows exactly which frame is the first under the new keys.
 *
 *   initiator: OFFER    …          DONE | new keys
 *   responder:           ANSWER | new keys
 */
export class Rekey {
  readonly #role: Role
  readonly #random: (length: number) => Uint8Array
  #sending: Hop
  #receiving: Hop
  /** Accepted on the unreliable lane for a while, where frames sent before the change arrive after it. */
  #former: { readonly hop: Hop; readonly untilMs: number } | null = null
  #pending: { readonly secret: Uint8Array } | null = null
  /** Agreed keys that the initiator does not use yet. */
  #next: Hop | null = null
  #bytes = 0
  #sinceMs: number
  /** When the last offer came, or when the link began. The frames that follow the offer may take long to arrive. */
  #takenMs: number

  constructor(hop: Hop, role: Role, random: (length: number) => Uint8Array, nowMs: number) {
    this.#role = role
    this.#random = random
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
    const secret = this.#random(32)
    this.#pending = { secret }
    return { kind: "rekeyOffer", ephemeral: x25519.getPublicKey(secret) }
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
    if (control.kind === "rekeyOffer") return this.#handleOffer(control.ephemeral, nowMs)
    if (control.kind === "rekeyAnswer") return this.#handleAnswer(control.ephemeral, nowMs)
    if (!this.#next) return { refused: "bad-rekey" }
    this.#becomeReceiving(this.#next, nowMs)
    this.#next = null
    return { last: null, switchSending: () => undefined }
  }

  #handleOffer(theirs: Uint8Array, nowMs: number): Handled {
    if (this.#role !== "responder" || this.#next) return { refused: "bad-rekey" }
    // Checked before the Diffie-Hellman: an offer costs its sender nothing.
    const isEarly = nowMs - this.#takenMs < REKEY_APART_MS && this.#bytes < REKEY_APART_BYTES
    if (isEarly) return { refused: "early-rekey" }
    this.#takenMs = nowMs
    const secret = this.#random(32)
    const next = this.#agree(secret, theirs)
    if (!next) return { refused: "bad-rekey" }
    this.#next = next.hop
    return { last: { kind: "rekeyAnswer", ephemeral: next.own }, switchSending: () => (this.#sending = next.hop) }
  }

  #handleAnswer(theirs: Uint8Array, nowMs: number): Handled {
    const next = this.#pending && this.#agree(this.#pending.secret, theirs)
    if (!next) return { refused: "bad-rekey" }
    this.#pending = null
    this.#becomeReceiving(next.hop, nowMs)
    return { last: { kind: "rekeyDone" }, switchSending: () => (this.#sending = next.hop) }
  }

  #becomeReceiving(hop: Hop, nowMs: number): void {
    this.#forgetFormer()
    this.#former = { hop: this.#receiving, untilMs: nowMs + REKEY_OVERLAP_MS }
    this.#receiving = hop
    this.#bytes = 0
    this.#sinceMs = nowMs
  }

  #agree(secret: Uint8Array, theirs: Uint8Array): { readonly hop: Hop; readonly own: Uint8Array } | null {
    const own = x25519.getPublicKey(secret)
    let shared: Uint8Array
    try {
      shared = x25519.getSharedSecret(secret, theirs)
    } catch {
      return null
    }
    const ephemerals = { [this.#role]: own, [otherRole(this.#role)]: theirs } as Record<Role, Uint8Array>
    const keys = nextHopKeys(shared, this.#receiving.associationId, ephemerals)
    shared.fill(0)
    secret.fill(0)
    return { hop: createHop(keys, this.#role, this.#receiving.cipher), own }
  }

  #forgetFormer(): void {
    this.#former?.hop.forget()
    this.#former = null
  }

  /** Overwrites all keys. */
  forget(): void {
    for (const hop of [this.#sending, this.#receiving, this.#next]) hop?.forget()
    this.#forgetFormer()
    this.#pending?.secret.fill(0)
  }
}
