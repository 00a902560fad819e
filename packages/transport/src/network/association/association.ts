import { chacha20poly1305 } from "@noble/ciphers/chacha.js"
import { equalBytes } from "@noble/ciphers/utils.js"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { tryDecode } from "../../wire/codec.ts"
import type { HopCipher } from "../shared/hop-cipher.ts"
import type { X25519 } from "../shared/x25519.ts"
import { commonFeatures, type Feature, type Protocol } from "../shared/protocol.ts"
import {
  decodeOpen,
  encodeOpen,
  encodeProof,
  OPEN_KIND,
  PROOF_KIND,
  proofCoder,
  splitProof,
  type Open,
} from "./handshake-messages.ts"
import { createHop, HOP_FRAME_KIND, type Hop } from "./hop.ts"
import { scoped, type Scope } from "../shared/scope.ts"
import { KeyExchange, type ExchangeRefusal, type Hybrid } from "./key-exchange.ts"
import {
  associationKeys,
  hybridTranscriptHash,
  initiatorProofKey,
  linkTypeCode,
  otherRole,
  transcriptHash,
  type LinkType,
  type Opening,
  type Party,
  type Role,
} from "./transcript.ts"

/**
 * Station-to-station protocol over an open channel: the paper's security association, set up between neighbours.
 *
 * Both ends send:
 * - OPEN: version and features, role, link type, ephemeral, nonce.
 * - PROOF: certificate, a MAC under each invitation that this end holds, signature of (role, transcript). Sealed under
 *   HKDF(secret, transcript).
 * - CONFIRM: the first hop frame, which proves possession of the hop keys.
 *
 * Hybrid: the initiator's OPEN contains its key for ML-KEM, and the responder's PROOF the ciphertext. Everything is bound
 * to both secrets and to the ciphertext, except the initiator's PROOF, which leaves before the ciphertext is there.
 *
 * The two sides run in parallel, which takes three one-way delays. Each side knows the expected peer from the
 * signalling, so both certificates are in the transcript from the start.
 *
 * An end that has confirmed may send at once under the hop keys. The identity of the other end is proved by then, and
 * only its confirmation is outstanding. Nothing that it sends is accepted before that.
 */
export type AssociationConfig = {
  readonly scope: Scope
  /** Keys of the invitations that this end holds, 32 bytes each, newest first. The peer has to hold one of them. */
  readonly keys: readonly Uint8Array[]
  readonly role: Role
  readonly linkType: LinkType
  readonly attempt: number
  readonly own: Party
  readonly peer: Party
  readonly protocol: Protocol
  readonly hopCipher?: HopCipher | undefined
  readonly x25519?: X25519 | undefined
  /** 32 random bytes each, used once. */
  readonly ephemeralSecret: Uint8Array
  readonly nonce: Uint8Array
  /** Null in a conference without post-quantum protection. */
  readonly hybrid: Hybrid | null
}

export type AssociationInput =
  | { readonly type: "message"; readonly bytes: Uint8Array }
  | { readonly type: "signed"; readonly signature: Uint8Array }
  | { readonly type: "verified"; readonly ok: boolean }

export type AssociationRefusal =
  | "malformed"
  | "unexpected-message"
  | "version"
  | "other-link-type"
  | "same-role"
  | "own-ephemeral"
  | ExchangeRefusal
  | "transcript-mismatch"
  | "own-certificate"
  | "wrong-peer"
  | "invitation-mismatch"
  | "bad-signature"
  | "bad-confirmation"

export type AssociationOutput =
  | { readonly type: "send"; readonly bytes: Uint8Array }
  /** The caller answers with `signed`. */
  | { readonly type: "sign"; readonly bytes: Uint8Array }
  /** Verify with the expected peer's key. The caller answers with `verified`. */
  | { readonly type: "verify"; readonly bytes: Uint8Array; readonly signature: Uint8Array }
  /**
   * Both proofs are given and our confirmation is sent, so frames may follow it. `key` is the index in `keys` of the
   * newest key that the peer has proved to hold. `features`: those that both ends support.
   */
  | { readonly type: "proved"; readonly hop: Hop; readonly key: number; readonly features: readonly Feature[] }
  /** The peer has confirmed too. Frames after that may be opened, beginning with the buffered `early` ones. */
  | { readonly type: "established"; readonly early: readonly Uint8Array[] }
  | { readonly type: "refused"; readonly reason: AssociationRefusal }

const CONFIRMATION = utf8ToBytes("keymoot/1 association confirmed")
/** Each proof key seals one message. */
const PROOF_NONCE = new Uint8Array(12)

/** Frames behind the peer's confirmation that are buffered until it is verified. A correct peer sends one or two. */
const EARLY_FRAMES_MAX = 8

/** Key that seals the PROOF of one role, and the hash that it signs. */
type ProofContext = { readonly key: Uint8Array; readonly hash: Uint8Array }

type Proving = {
  readonly name: "proving"
  /** Hash of both OPENs. */
  readonly hash: Uint8Array
  readonly proofs: { readonly initiator: ProofContext; responder: ProofContext | null }
  /** Null at the initiator of a hybrid handshake until the responder's PROOF comes. */
  hop: Hop | null
  readonly features: readonly Feature[]
  proofSent: boolean
  peerProof: "awaited" | "verifying" | "good"
  peerKey: number
  confirmSent: boolean
  peerConfirmed: boolean
  readonly early: Uint8Array[]
}
type State = { readonly name: "opening" } | Proving | { readonly name: "established" } | { readonly name: "refused" }

export class Association {
  readonly #config: AssociationConfig
  readonly #exchange: KeyExchange
  readonly #opening: Opening
  #state: State = { name: "opening" }

  constructor(config: AssociationConfig) {
    const { protocol, nonce, role, ephemeralSecret, hybrid, x25519 } = config
    this.#config = config
    this.#exchange = new KeyExchange({ role, ephemeralSecret, hybrid, x25519 })
    this.#opening = { protocol, ephemeral: this.#exchange.ephemeral, nonce }
  }

  /** The first message, to be sent as soon as the channel is open. */
  start(): Uint8Array {
    const { role, linkType } = this.#config
    const { encapsulationKey } = this.#exchange
    return encodeOpen({ role, linkType: linkTypeCode[linkType], ...this.#opening, encapsulationKey })
  }

  /** Accepts no input after `established` or `refused`. */
  step(input: AssociationInput): AssociationOutput[] {
    if (this.#state.name === "established" || this.#state.name === "refused") return []
    switch (input.type) {
      case "message":
        return this.#handleMessage(input.bytes)
      case "signed":
        return this.#handleSigned(input.signature)
      case "verified":
        return this.#handleVerified(input.ok)
    }
  }

  #handleMessage(bytes: Uint8Array): AssociationOutput[] {
    const state = this.#state
    if (state.name === "opening")
      return bytes[0] === OPEN_KIND ? this.#handleOpen(bytes) : this.#refuse("unexpected-message")
    if (state.name !== "proving") return []
    if (bytes[0] === PROOF_KIND && state.peerProof === "awaited") return this.#handleProof(state, bytes)
    if (bytes[0] === HOP_FRAME_KIND && state.peerProof !== "awaited" && !state.peerConfirmed)
      return this.#handleConfirm(state, bytes)
    if (bytes[0] === HOP_FRAME_KIND && state.peerConfirmed && state.early.length < EARLY_FRAMES_MAX) {
      state.early.push(bytes)
      return []
    }
    return this.#refuse("unexpected-message")
  }

  #handleOpen(bytes: Uint8Array): AssociationOutput[] {
    const theirs = decodeOpen(bytes, this.#config.protocol.major)
    if (typeof theirs === "string") return this.#refuse(theirs)
    const { role, linkType } = this.#config
    if (equalBytes(theirs.ephemeral, this.#opening.ephemeral)) return this.#refuse("own-ephemeral")
    if (theirs.role === role) return this.#refuse("same-role")
    if (theirs.linkType !== linkTypeCode[linkType]) return this.#refuse("other-link-type")
    const refused = this.#exchange.receive(theirs.ephemeral, theirs.encapsulationKey)
    return refused ? this.#refuse(refused) : this.#becomeProving(theirs)
  }

  #becomeProving(theirs: Open): AssociationOutput[] {
    const { scope, linkType, attempt, role, hybrid } = this.#config
    const own = { ...this.#config.own, ...this.#opening }
    const peer = { ...this.#config.peer, protocol: theirs.protocol, ephemeral: theirs.ephemeral, nonce: theirs.nonce }
    const parties = role === "initiator" ? { initiator: own, responder: peer } : { initiator: peer, responder: own }
    const { encapsulationKey } = role === "initiator" ? this.#exchange : theirs
    const hash = transcriptHash({ scope, linkType, attempt, ...parties, encapsulationKey })
    const state: Proving = {
      name: "proving",
      hash,
      proofs: { initiator: { key: initiatorProofKey(this.#exchange.classicalSecret, hash), hash }, responder: null },
      hop: null,
      features: commonFeatures(own.protocol.features, theirs.protocol.features),
      proofSent: false,
      peerProof: "awaited",
      peerKey: -1,
      confirmSent: false,
      peerConfirmed: false,
      early: [],
    }
    this.#state = state
    if (!hybrid || role === "responder") this.#deriveKeys(state, this.#exchange.ciphertext)
    return [{ type: "sign", bytes: this.#signedBy(role, state.proofs[role]!.hash) }]
  }

  /** Everything but the initiator's PROOF, from both secrets and the transcript up to the ciphertext. */
  #deriveKeys(state: Proving, ciphertext: Uint8Array): void {
    const { scope, role, hopCipher, hybrid } = this.#config
    const hash = hybrid ? hybridTranscriptHash(scope, state.hash, ciphertext) : state.hash
    const secret = this.#exchange.takeSecret()
    const keys = associationKeys(secret, hash)
    secret.fill(0)
    keys.proof.initiator.fill(0)
    state.proofs.responder = { key: keys.proof.responder, hash }
    state.hop = createHop(keys.hop, role, hopCipher)
  }

  #handleSigned(signature: Uint8Array): AssociationOutput[] {
    const state = this.#state
    if (state.name !== "proving" || state.proofSent) throw new Error("a signature came without a request")
    const { role, own } = this.#config
    const { key, hash } = state.proofs[role]!
    const proof = proofCoder.encode({ certificate: own.certificate, macs: this.#macsOf(role, hash), signature })
    const sealed = chacha20poly1305(key, PROOF_NONCE, hash).encrypt(proof)
    state.proofSent = true
    return [{ type: "send", bytes: encodeProof(this.#exchange.ciphertext, sealed) }, ...this.#confirmIfDue(state)]
  }

  #handleProof(state: Proving, bytes: Uint8Array): AssociationOutput[] {
    const { hybrid, role } = this.#config
    const peerRole = otherRole(role)
    const [ciphertext, sealed] = splitProof(bytes, hybrid !== null && role === "initiator")
    if (!state.hop) {
      const refused = this.#exchange.receiveCiphertext(ciphertext)
      if (refused) return this.#refuse(refused)
      this.#deriveKeys(state, ciphertext)
    }
    const { key, hash } = state.proofs[peerRole]!
    let plain: Uint8Array
    try {
      plain = chacha20poly1305(key, PROOF_NONCE, hash).decrypt(sealed)
    } catch {
      return this.#refuse("transcript-mismatch")
    }
    const proof = tryDecode(proofCoder, plain)
    if (proof === null) return this.#refuse("malformed")
    if (equalBytes(proof.certificate, this.#config.own.certificate)) return this.#refuse("own-certificate")
    if (!equalBytes(proof.certificate, this.#config.peer.certificate)) return this.#refuse("wrong-peer")
    const expected = this.#macsOf(peerRole, hash)
    state.peerKey = expected.findIndex((mac) => proof.macs.some((given) => equalBytes(given, mac)))
    if (state.peerKey < 0) return this.#refuse("invitation-mismatch")
    state.peerProof = "verifying"
    return [{ type: "verify", bytes: this.#signedBy(peerRole, hash), signature: proof.signature }]
  }

  #handleVerified(ok: boolean): AssociationOutput[] {
    const state = this.#state
    if (state.name !== "proving" || state.peerProof !== "verifying")
      throw new Error("a verification result came without a request")
    if (!ok) return this.#refuse("bad-signature")
    state.peerProof = "good"
    return this.#confirmIfDue(state)
  }

  /**
   * The peer may have verified this end before this end has verified it. Only this one frame can come before our own.
   */
  #handleConfirm(state: Proving, bytes: Uint8Array): AssociationOutput[] {
    const plain = state.hop!.opener.open(bytes)
    if (!(plain instanceof Uint8Array) || !equalBytes(plain, CONFIRMATION)) return this.#refuse("bad-confirmation")
    state.peerConfirmed = true
    return this.#establishIfDue(state)
  }

  #confirmIfDue(state: Proving): AssociationOutput[] {
    if (!state.proofSent || state.peerProof !== "good") return []
    state.confirmSent = true
    return [
      { type: "send", bytes: state.hop!.sealer.seal(CONFIRMATION) },
      { type: "proved", hop: state.hop!, key: state.peerKey, features: state.features },
      ...this.#establishIfDue(state),
    ]
  }

  #establishIfDue(state: Proving): AssociationOutput[] {
    if (!state.confirmSent || !state.peerConfirmed) return []
    this.#forgetProofKeys(state)
    this.#state = { name: "established" }
    return [{ type: "established", early: state.early }]
  }

  #refuse(reason: AssociationRefusal): AssociationOutput[] {
    this.forget()
    return [{ type: "refused", reason }]
  }

  /** Overwrites the secrets, except those that the caller owns after `established`. */
  forget(): void {
    if (this.#state.name === "proving") {
      this.#forgetProofKeys(this.#state)
      this.#state.hop?.forget()
    }
    if (this.#state.name !== "established") this.#state = { name: "refused" }
    this.#exchange.forget()
  }

  #forgetProofKeys(state: Proving): void {
    state.proofs.initiator.key.fill(0)
    state.proofs.responder?.key.fill(0)
  }

  #macsOf(role: Role, hash: Uint8Array): Uint8Array[] {
    const bytes = scoped(`association mac ${role}`, this.#config.scope, hash)
    return this.#config.keys.map((key) => hmac(sha256, key, bytes))
  }

  #signedBy(role: Role, hash: Uint8Array): Uint8Array {
    return scoped(`association ${role}`, this.#config.scope, hash)
  }
}
