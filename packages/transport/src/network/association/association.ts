import { chacha20poly1305 } from "@noble/ciphers/chacha.js"
import { equalBytes } from "@noble/ciphers/utils.js"
import { x25519 } from "@noble/curves/ed25519.js"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import * as P from "micro-packed"
import { certificateBytes, decodeOrNull } from "../shared/coders.ts"
import type { HopCipher } from "../shared/hop-cipher.ts"
import { INVITATION_KEYS_MAX } from "../shared/keyring.ts"
import { commonFeatures, protocolCoder, type Feature, type Protocol } from "../shared/protocol.ts"
import { createHop, HOP_FRAME_KIND, type Hop } from "./hop.ts"
import { scoped, type Scope } from "../shared/scope.ts"
import {
  associationKeys,
  linkTypeCode,
  otherRole,
  transcriptHash,
  type AssociationKeys,
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
 *   HKDF(DH, transcript).
 * - CONFIRM: the first hop frame, which proves possession of the hop keys.
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
  /** 32 random bytes each, used once. */
  readonly ephemeralSecret: Uint8Array
  readonly nonce: Uint8Array
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
  | "zero-secret"
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

const OPEN_KIND = 1
const PROOF_KIND = 2
const CONFIRMATION = utf8ToBytes("keymoot/1 association confirmed")
/** Each proof key seals one message. */
const PROOF_NONCE = new Uint8Array(12)

const roleCoder = P.map(P.U8, { initiator: 1, responder: 2 }) as P.CoderType<Role>
const openCoder = P.struct({
  protocol: protocolCoder,
  role: roleCoder,
  linkType: P.U8,
  ephemeral: P.bytes(32),
  nonce: P.bytes(32),
})
const MAJOR_BYTES = 2
const macsCoder = P.validate(P.array(P.U8, P.bytes(32)), (macs) => {
  if (macs.length > INVITATION_KEYS_MAX) throw new RangeError("too many invitations")
  return macs
})
/** Frames behind the peer's confirmation that are buffered until it is verified. A correct peer sends one or two. */
const EARLY_FRAMES_MAX = 8
const proofCoder = P.struct({ certificate: certificateBytes, macs: macsCoder, signature: P.bytes(64) })

type Proving = {
  readonly name: "proving"
  readonly hash: Uint8Array
  readonly keys: AssociationKeys
  readonly hop: Hop
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
  readonly #opening: Opening
  #state: State = { name: "opening" }

  constructor(config: AssociationConfig) {
    this.#config = config
    this.#opening = {
      protocol: config.protocol,
      ephemeral: x25519.getPublicKey(config.ephemeralSecret),
      nonce: config.nonce,
    }
  }

  /** The first message, to be sent as soon as the channel is open. */
  start(): Uint8Array {
    const { role, linkType } = this.#config
    const fields = openCoder.encode({ role, linkType: linkTypeCode[linkType], ...this.#opening })
    return concatBytes(Uint8Array.of(OPEN_KIND), fields)
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
    // Only the major version is decoded: the format of the rest may depend on it.
    const major = decodeOrNull(P.U16BE, bytes.subarray(1, 1 + MAJOR_BYTES))
    if (major === null) return this.#refuse("malformed")
    if (major !== this.#config.protocol.major) return this.#refuse("version")
    const theirs = decodeOrNull(openCoder, bytes.subarray(1))
    if (theirs === null) return this.#refuse("malformed")
    const { role, linkType, ephemeralSecret } = this.#config
    if (equalBytes(theirs.ephemeral, this.#opening.ephemeral)) return this.#refuse("own-ephemeral")
    if (theirs.role === role) return this.#refuse("same-role")
    if (theirs.linkType !== linkTypeCode[linkType]) return this.#refuse("other-link-type")
    let shared: Uint8Array
    try {
      shared = x25519.getSharedSecret(ephemeralSecret, theirs.ephemeral)
    } catch {
      return this.#refuse("zero-secret")
    }
    return this.#becomeProving(theirs, shared)
  }

  #becomeProving(theirs: Opening, shared: Uint8Array): AssociationOutput[] {
    const { scope, linkType, attempt, role } = this.#config
    const own = { ...this.#config.own, ...this.#opening }
    const peer = { ...this.#config.peer, protocol: theirs.protocol, ephemeral: theirs.ephemeral, nonce: theirs.nonce }
    const parties = role === "initiator" ? { initiator: own, responder: peer } : { initiator: peer, responder: own }
    const hash = transcriptHash({ scope, linkType, attempt, ...parties })
    const keys = associationKeys(shared, hash)
    shared.fill(0)
    this.#config.ephemeralSecret.fill(0)
    this.#state = {
      name: "proving",
      hash,
      keys,
      hop: createHop(keys.hop, role, this.#config.hopCipher),
      features: commonFeatures(own.protocol.features, theirs.protocol.features),
      proofSent: false,
      peerProof: "awaited",
      peerKey: -1,
      confirmSent: false,
      peerConfirmed: false,
      early: [],
    }
    return [{ type: "sign", bytes: this.#signedBy(role, hash) }]
  }

  #handleSigned(signature: Uint8Array): AssociationOutput[] {
    const state = this.#state
    if (state.name !== "proving" || state.proofSent) throw new Error("a signature came that was not asked for")
    const { role, own } = this.#config
    const proof = proofCoder.encode({ certificate: own.certificate, macs: this.#macsOf(role, state.hash), signature })
    const sealed = chacha20poly1305(state.keys.proof[role], PROOF_NONCE, state.hash).encrypt(proof)
    state.proofSent = true
    return [{ type: "send", bytes: concatBytes(Uint8Array.of(PROOF_KIND), sealed) }, ...this.#confirmIfDue(state)]
  }

  #handleProof(state: Proving, bytes: Uint8Array): AssociationOutput[] {
    const peerRole = otherRole(this.#config.role)
    let plain: Uint8Array
    try {
      plain = chacha20poly1305(state.keys.proof[peerRole], PROOF_NONCE, state.hash).decrypt(bytes.subarray(1))
    } catch {
      return this.#refuse("transcript-mismatch")
    }
    const proof = decodeOrNull(proofCoder, plain)
    if (proof === null) return this.#refuse("malformed")
    if (equalBytes(proof.certificate, this.#config.own.certificate)) return this.#refuse("own-certificate")
    if (!equalBytes(proof.certificate, this.#config.peer.certificate)) return this.#refuse("wrong-peer")
    const expected = this.#macsOf(peerRole, state.hash)
    state.peerKey = expected.findIndex((mac) => proof.macs.some((given) => equalBytes(given, mac)))
    if (state.peerKey < 0) return this.#refuse("invitation-mismatch")
    state.peerProof = "verifying"
    return [{ type: "verify", bytes: this.#signedBy(peerRole, state.hash), signature: proof.signature }]
  }

  #handleVerified(ok: boolean): AssociationOutput[] {
    const state = this.#state
    if (state.name !== "proving" || state.peerProof !== "verifying")
      throw new Error("a verdict came that was not asked for")
    if (!ok) return this.#refuse("bad-signature")
    state.peerProof = "good"
    return this.#confirmIfDue(state)
  }

  /**
   * The peer may have verified this end before this end has verified it. Only this one frame can come before our own.
   */
  #handleConfirm(state: Proving, bytes: Uint8Array): AssociationOutput[] {
    const plain = state.hop.opener.open(bytes)
    if (!(plain instanceof Uint8Array) || !equalBytes(plain, CONFIRMATION)) return this.#refuse("bad-confirmation")
    state.peerConfirmed = true
    return this.#establishIfDue(state)
  }

  #confirmIfDue(state: Proving): AssociationOutput[] {
    if (!state.proofSent || state.peerProof !== "good") return []
    state.confirmSent = true
    return [
      { type: "send", bytes: state.hop.sealer.seal(CONFIRMATION) },
      { type: "proved", hop: state.hop, key: state.peerKey, features: state.features },
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
      this.#state.hop.forget()
    }
    if (this.#state.name !== "established") this.#state = { name: "refused" }
    this.#config.ephemeralSecret.fill(0)
  }

  #forgetProofKeys(state: Proving): void {
    state.keys.proof.initiator.fill(0)
    state.keys.proof.responder.fill(0)
  }

  #macsOf(role: Role, hash: Uint8Array): Uint8Array[] {
    const bytes = scoped(`association mac ${role}`, this.#config.scope, hash)
    return this.#config.keys.map((key) => hmac(sha256, key, bytes))
  }

  #signedBy(role: Role, hash: Uint8Array): Uint8Array {
    return scoped(`association ${role}`, this.#config.scope, hash)
  }
}
