import { concatBytes } from "@noble/hashes/utils.js"
import { equalBytes } from "../shared/bytes.ts"
import {
  isCanonicalScalar,
  type Element,
  type PrimeOrderGroup,
  type Scalar,
  isRejection,
  RANDOM_BYTES,
} from "../group/prime-order-group.ts"
import { openBase, sealBase } from "../hpke/hpke.ts"
import { type X25519, X25519_BYTES } from "../hpke/x25519.ts"
import { type MemberId, memberIdToBytes } from "../shared/member-id.ts"
import { majoritySigningInput, type MajorityCodec, type Offer, type SealedShare } from "./majority-codec.ts"
import type { Contribution } from "./proposal.ts"
import { Ratchet } from "./ratchet.ts"
import type { SignatureVerifier } from "./verifier.ts"

export type SharesOptions = {
  readonly group: PrimeOrderGroup
  readonly x25519: X25519
  readonly codec: MajorityCodec
  readonly verifier: SignatureVerifier
  readonly publicKeys: ReadonlyMap<MemberId, Uint8Array>
  readonly sid: Uint8Array
  readonly roster: readonly MemberId[]
  /** This member's index in the roster. */
  readonly self: number
  /** False after a reload: who may have lost its y draws no other in this session. */
  readonly contributes: boolean
  readonly random: Uint8Array
}

/**
 * One session's secrets at one member, and the others' offers. It holds its own y and SK, the C and PK of all, and the
 * y that were opened and match their C. Members are indices into the roster, and each map has at most one entry for
 * each.
 */
export class Shares {
  readonly #options: SharesOptions
  readonly #ratchet: Ratchet
  readonly #secretKey: Uint8Array
  readonly key: Uint8Array
  /** Null after a reload. */
  readonly own: { readonly share: Element; readonly y: Scalar } | null
  readonly #offers = new Map<number, Offer>()
  /** The newest of each: a member that comes back has another. */
  readonly #keys = new Map<number, Uint8Array>()
  readonly #contributions = new Map<number, Contribution>()

  constructor(options: SharesOptions) {
    const { group, x25519, contributes, random } = options
    this.#options = options
    this.#ratchet = new Ratchet(random)
    this.#secretKey = this.#ratchet.draw(X25519_BYTES)
    this.key = x25519.publicKey(this.#secretKey)
    if (!contributes) this.own = null
    else {
      const wide = this.#ratchet.draw(RANDOM_BYTES)
      const y = group.randomScalar(wide)
      wide.fill(0)
      this.own = { share: group.multiplyBase(y), y }
    }
  }

  // --- offers ----------------------------------------------------------------------------------------------------------

  offerOf(member: number): Offer | undefined {
    return this.#offers.get(member)
  }

  keyOf(member: number): Uint8Array | undefined {
    return this.#keys.get(member)
  }

  setKey(member: number, key: Uint8Array): void {
    this.#keys.set(member, key)
  }

  /** `conflict`: its owner has signed another one for this session. */
  addOffer(owner: number, offer: Offer): "new" | "known" | "conflict" | "invalid" {
    const known = this.#offers.get(owner)
    if (known) return sameOffer(known, offer) ? "known" : "conflict"
    if (isRejection(this.#options.group.decode(offer.share))) return "invalid"
    this.#offers.set(owner, offer)
    if (!this.#keys.has(owner)) this.#keys.set(owner, offer.key)
    return "new"
  }

  /** For an offer that another member relays. If an owner signed two, the relay that got the other one is not at fault. */
  isOffer(owner: number, offer: Offer): boolean {
    const { group, roster, codec, sid, verifier, publicKeys } = this.#options
    const known = this.#offers.get(owner)
    if (known && sameOffer(known, offer)) return true
    const from = roster[owner]
    const publicKey = from && publicKeys.get(from)
    if (from === undefined || !publicKey || isRejection(group.decode(offer.share))) return false
    const payload = { kind: "offer", share: offer.share, key: offer.key } as const
    const statement = codec.encodeStatement({ sid, from, to: null, payload })
    return verifier.verify(publicKey, majoritySigningInput(statement), offer.signature)
  }

  // --- contributions -----------------------------------------------------------------------------------------------------

  get contributions(): ReadonlyMap<number, Contribution> {
    return this.#contributions
  }

  /** Once this member's own offer has come back, signed. */
  addOwn(offer: Offer): void {
    const { self } = this.#options
    this.#contributions.set(self, { owner: self, offer, y: this.own!.y })
  }

  /** Null where `to` has offered a key of small order, or none. */
  seal({ owner, y }: Contribution, to: number): SealedShare | null {
    const { x25519, sid, self } = this.#options
    const recipientKey = this.#keys.get(to)
    if (!recipientKey) return null
    const ephemeralSecret = this.#ratchet.draw(X25519_BYTES)
    const aad = this.#associatedData(self, owner, to)
    const sealed = sealBase(x25519, { recipient: recipientKey, ephemeralSecret, info: sid, aad, plaintext: y })
    ephemeralSecret.fill(0)
    return sealed && { recipientKey, ...sealed }
  }

  /** `stale`: sealed to a key that this member had before it reloaded. `wrong`: not the y of this offer. */
  open(sealed: SealedShare, from: number, owner: number, offer: Offer): "opened" | "stale" | "wrong" {
    const { group, x25519, sid, self } = this.#options
    if (!equalBytes(sealed.recipientKey, this.key)) return "stale"
    const secret = this.#secretKey
    const aad = this.#associatedData(from, owner, self)
    const y = openBase(x25519, { secret, recipient: this.key, info: sid, aad, sealed })
    if (!y) return "wrong"
    if (isCanonicalScalar(group, y) && equalBytes(group.multiplyBase(y), offer.share)) {
      this.#contributions.get(owner)?.y.fill(0)
      this.#contributions.set(owner, { owner, offer, y })
      return "opened"
    }
    y.fill(0)
    return "wrong"
  }

  #associatedData(from: number, owner: number, to: number): Uint8Array {
    return concatBytes(...[from, owner, to].map((member) => memberIdToBytes(this.#options.roster[member]!)))
  }

  // --- the end -----------------------------------------------------------------------------------------------------------

  /** The key is made. One y of the decided set is enough to serve late members, and nothing is opened any more. */
  eraseAllBut(owner: number): void {
    this.#secretKey.fill(0)
    if (owner !== this.#options.self) this.own?.y.fill(0)
    for (const [other, { y }] of this.#contributions) {
      if (other === owner) continue
      y.fill(0)
      this.#contributions.delete(other)
    }
  }

  erase(): void {
    this.#secretKey.fill(0)
    this.own?.y.fill(0)
    for (const { y } of this.#contributions.values()) y.fill(0)
    this.#contributions.clear()
    this.#ratchet.erase()
  }
}

/** Includes the signature: the relayed bytes must be the checked ones. */
function sameOffer(a: Offer, b: Offer): boolean {
  return equalBytes(a.share, b.share) && equalBytes(a.key, b.key) && equalBytes(a.signature, b.signature)
}
