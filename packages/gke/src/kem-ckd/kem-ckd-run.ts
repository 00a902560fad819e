import type { KeyAgreementOutput } from "../agreement/key-agreement.ts"
import { type DeliveredMulticast, encodeApart, transcriptOf } from "../agreement/transcript.ts"
import { completedEpoch, encodedState, secretOf } from "../clusters/completed-epoch.ts"
import { Outbox } from "../clusters/outbox.ts"
import type { RunInput, ViewRun } from "../clusters/view-agreement.ts"
import type { Kem, KemKeyPair } from "../kem/kem.ts"
import type { Seat } from "../seniority/order.ts"
import { encodeSeats, type SeatedEpoch, type Seating, seatingOf } from "../seniority/seating.ts"
import { copySecret, equalBytes } from "../shared/bytes.ts"
import type { MemberId } from "../shared/member-id.ts"
import { decodeKemMessage, encodeKemMessage, kemAttachmentCodec, type KemMessage } from "./kem-ckd-codec.ts"
import { freshSeed, nextSeed, openSeed, sealSeed, seedCommitment } from "./kem-sealing.ts"

/**
 * A completed epoch. It owns `seed` and `secretKey` and shares no secret with another epoch. `keys`: the public keys
 * known here. A member knows those of all members that entered with it or after it.
 */
export type KemEpoch = SeatedEpoch & {
  readonly seed: Uint8Array
  readonly secretKey: Uint8Array
  readonly keys: ReadonlyMap<MemberId, Uint8Array>
}

/** `pair`: the keys that this member's attachment offers; the run owns them. */
export type KemRunInput = Omit<RunInput<KemEpoch>, "share"> & { readonly kem: Kem; readonly pair: KemKeyPair }

const KEY_ROUND = 0
const SEED_ROUND = 1

type Phase =
  | { readonly name: "new" | "completed" | "failed" }
  /** Until all that enter have shown a key and the leader's message is there. `sent`: this member's own, if it leads. */
  | { readonly name: "agreeing"; readonly order: Seating["order"]; readonly seats: readonly Seat[] }

type SeedMessage = KemMessage & { readonly type: "seed" }

/** One view of the post-quantum agreement. */
export class KemRun implements ViewRun<KemEpoch> {
  readonly #input: KemRunInput
  readonly #random: Uint8Array
  readonly #outbox = new Outbox()
  readonly #delivered: DeliveredMulticast[] = []
  /** Members that enter without an attached key, until it comes. */
  readonly #lacking = new Set<MemberId>()
  #keys = new Map<MemberId, Uint8Array>()
  #secretKey: Uint8Array
  #phase: Phase = { name: "new" }
  /** The leader's message, at the leader before it came back. */
  #sent: { readonly bytes: Uint8Array; readonly seed: Uint8Array } | null = null
  /** The leader's message, if it came before the keys that the leader waited for. */
  #early: { readonly message: SeedMessage; readonly bytes: Uint8Array } | null = null
  completed: KemEpoch | null = null

  constructor(input: KemRunInput) {
    this.#input = input
    this.#random = copySecret(input.random)
    this.#secretKey = copySecret(input.pair.secretKey)
  }

  start(): readonly KeyAgreementOutput[] {
    const { view, base } = this.#input
    const seating = seatingOf(kemAttachmentCodec, view, base, this.#outbox)
    if (!seating) this.#become({ name: "failed" })
    else this.#begin(seating)
    return this.#outbox.flush()
  }

  #begin({ order, attachments }: Seating): void {
    const { view, base, pair } = this.#input
    const entering = order.newcomers.map((owner) => ({ owner, sinceEpoch: view.proposal.epoch }))
    this.#phase = { name: "agreeing", order, seats: [...order.seniors, ...entering] }
    const isSenior = order.seniors.some(({ owner }) => owner === view.self)
    for (const member of view.members) {
      const { share } = attachments.get(member)!
      const isEntering = order.newcomers.includes(member)
      const key = share.length > 0 ? share.slice() : isSenior && !isEntering ? base!.keys.get(member) : undefined
      if (key) this.#keys.set(member, key)
      if (isEntering && share.length === 0) this.#lacking.add(member)
    }
    const attachesKey = attachments.get(view.self)!.share.length > 0
    if (!attachesKey && isSenior) this.#replaceSecretKey(base!.secretKey)
    if (view.members.length === 1) return this.#complete(freshSeed(this.#random, view.sid))
    if (this.#lacking.has(view.self))
      this.#outbox.multicast(encodeKemMessage({ type: "key", publicKey: pair.publicKey }))
    this.#lead()
  }

  #replaceSecretKey(secretKey: Uint8Array): void {
    this.#secretKey.fill(0)
    this.#secretKey = copySecret(secretKey)
  }

  /** The leader sends the seed once it knows all keys that it needs. */
  #lead(): void {
    const { view, kem, base } = this.#input
    const leader = this.#leader()
    if (leader !== view.self || this.#lacking.size > 0) return
    const isForward = this.#isForward()
    const seed = isForward ? nextSeed(base!.seed, view.sid) : freshSeed(this.#random, view.sid)
    const sealed: Uint8Array[] = []
    for (const member of this.#recipients(isForward)) {
      const key = this.#keys.get(member)
      const each = key && sealSeed(kem, key, { sid: view.sid, leader, member }, this.#random, seed)
      if (!each) {
        seed.fill(0)
        return this.#failAt(member, "bad-state")
      }
      sealed.push(each)
    }
    const commitment = seedCommitment(seed, view.sid)
    const bytes = encodeKemMessage({ type: "seed", isForward, commitment, sealed })
    this.#sent = { bytes, seed }
    this.#outbox.multicast(bytes)
  }

  receive(from: MemberId, via: "unicast" | "multicast", bytes: Uint8Array): readonly KeyAgreementOutput[] {
    if (this.#phase.name !== "failed") this.#receive(from, via, bytes)
    return this.#outbox.flush()
  }

  #receive(from: MemberId, via: "unicast" | "multicast", bytes: Uint8Array): void {
    const message = decodeKemMessage(bytes)
    if (!message) return this.#failAt(from, "malformed-message")
    const isPrescribed = message.type === "key" ? this.#lacking.has(from) : !this.#early && from === this.#leader()
    if (via === "unicast" || this.#phase.name !== "agreeing" || !isPrescribed)
      return this.#outbox.fault(from, "unexpected-message")
    if (message.type === "key") {
      this.#delivered.push({ round: KEY_ROUND, sender: from, bytes: bytes.slice() })
      this.#keys.set(from, message.publicKey)
      this.#lacking.delete(from)
      if (this.#lacking.size > 0) return
      return this.#early ? this.#takeSeed(this.#leader()!, this.#early.message, this.#early.bytes) : this.#lead()
    }
    if (this.#lacking.size === 0) return this.#takeSeed(from, message, bytes)
    // Messages keep the order of their sender only, so the seed may overtake the last key.
    this.#early = { message, bytes: bytes.slice() }
  }

  #takeSeed(from: MemberId, message: SeedMessage, bytes: Uint8Array): void {
    this.#delivered.push({ round: SEED_ROUND, sender: from, bytes: bytes.slice() })
    const seed = this.#seedIn(from, message, bytes)
    if (seed) this.#complete(seed)
    else this.#failAt(from, "wrong-key")
  }

  /** The seed that the leader's message gives this member; null if it gives none, or another than it commits to. */
  #seedIn(leader: MemberId, message: SeedMessage, bytes: Uint8Array): Uint8Array | null {
    const { view, kem, base } = this.#input
    const recipients = this.#recipients(message.isForward)
    if (message.sealed.length !== recipients.length) return null
    if (this.#sent) return equalBytes(bytes, this.#sent.bytes) ? copySecret(this.#sent.seed) : null
    // A newcomer cannot tell whether somebody left. Each member of the state can.
    if (this.#isSenior(view.self) && message.isForward !== this.#isForward()) return null
    const at = recipients.indexOf(view.self)
    const seed =
      at < 0
        ? nextSeed(base!.seed, view.sid)
        : openSeed(kem, this.#secretKey, { sid: view.sid, leader, member: view.self }, message.sealed[at]!)
    if (seed && equalBytes(seedCommitment(seed, view.sid), message.commitment)) return seed
    seed?.fill(0)
    return null
  }

  awaiting(): readonly MemberId[] {
    if (this.#phase.name !== "agreeing") return []
    return this.#lacking.size > 0 ? [...this.#lacking] : [this.#leader()!]
  }

  abandon(): void {
    if (this.#phase.name !== "completed") this.#become({ name: "failed" })
  }

  /** The oldest member of the first cluster: it has seen the key of every later member. */
  #leader(): MemberId | null {
    return this.#phase.name === "agreeing" ? this.#phase.seats[0]!.owner : null
  }

  #isSenior(member: MemberId): boolean {
    return this.#phase.name === "agreeing" && this.#phase.order.seniors.some(({ owner }) => owner === member)
  }

  /** Whether the state only grew. If somebody left, or nobody came, the next seed is independent of the last. */
  #isForward(): boolean {
    const { base } = this.#input
    if (this.#phase.name !== "agreeing" || !base) return false
    const { seniors, newcomers } = this.#phase.order
    return newcomers.length > 0 && seniors.length === base.seats.length
  }

  #recipients(isForward: boolean): MemberId[] {
    const leader = this.#leader()
    return this.#input.view.members.filter((member) => member !== leader && !(isForward && this.#isSenior(member)))
  }

  #complete(seed: Uint8Array): void {
    const { view } = this.#input
    if (this.#phase.name !== "agreeing") return
    const { seats } = this.#phase
    const transcript = transcriptOf(encodeApart(view.attachments), this.#delivered)
    this.#outbox.secret(secretOf("ml-kem", seed, view.members.length), transcript)
    const common = completedEpoch("ml-kem", encodedState(encodeSeats(seats)), view.sid, transcript)
    this.completed = { ...common, seats, seed, secretKey: copySecret(this.#secretKey), keys: this.#keys }
    this.#become({ name: "completed" })
  }

  #failAt(member: MemberId, reason: "malformed-message" | "bad-state" | "wrong-key"): void {
    this.#outbox.fault(member, reason)
    this.#become({ name: "failed" })
  }

  /** Either end of a run overwrites all that it owns. */
  #become(phase: Phase): void {
    this.#phase = phase
    for (const secret of [this.#random, this.#secretKey, this.#input.pair.secretKey, this.#sent?.seed]) secret?.fill(0)
    this.#sent = null
  }
}
