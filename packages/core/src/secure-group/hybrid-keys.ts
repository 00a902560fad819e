import {
  createKemAgreement,
  hybridEpochKey,
  type Kem,
  type KeyAgreement,
  type KeyAgreementOutput,
  type KeyStructure,
} from "@keymoot/gke"
import type { MemberId, ProposalId, View } from "@keymoot/transport"
import { sha256 } from "@noble/hashes/sha2.js"
import { hexToBytes } from "@noble/hashes/utils.js"
import { domainSeparated } from "../wire/index.ts"
import { joinAttachments, splitAttachment } from "./attachments.ts"
import { encodeAgreementBody } from "./agreement-body.ts"
import type { EpochKeys, EpochKeysConfig, EpochKeysInput, EpochKeysOutput, KeyOfView } from "./epoch-keys.ts"

/** Randomness of one step of the post-quantum agreement. */
const RANDOM_BYTES = 64

/**
 * The keys of a hybrid conference: those of a classical module, each combined with the secret of a post-quantum
 * agreement in the same view. Both agreements use the same SYNCs and run side by side, so no round is added.
 */
export class HybridKeys implements EpochKeys {
  readonly #config: EpochKeysConfig
  readonly #classical: EpochKeys
  readonly #module: KeyAgreement
  readonly #outputs: EpochKeysOutput[] = []
  #sid: Uint8Array | null = null
  /** Results of the present view that wait for the other agreement. */
  #classicalKey: KeyOfView | null = null
  #postQuantum: { readonly secret: Uint8Array; readonly transcript: Uint8Array } | null = null

  constructor(config: EpochKeysConfig, kem: Kem, classical: EpochKeys) {
    this.#config = config
    this.#module = createKemAgreement(kem, config.self)
    this.#classical = classical
  }

  get expectsKey(): boolean {
    return this.#classical.expectsKey
  }

  /** Either agreement may wait for a member. */
  awaiting(): readonly MemberId[] {
    return [...new Set([...this.#classical.awaiting(), ...this.#module.awaiting()])]
  }

  proving(silent: readonly MemberId[]): readonly MemberId[] {
    return this.#classical.proving(silent)
  }

  /** The classical module's: it is the one that the conference chose. */
  structure(): KeyStructure | null {
    return this.#classical.structure()
  }

  contribute(proposal: ProposalId, members: readonly MemberId[]): Uint8Array {
    const classical = this.#classical.contribute(proposal, members)
    const random = this.#config.random.bytes(RANDOM_BYTES)
    const outputs = this.#module.step({ type: "contribute", proposal, members, random })
    random.fill(0)
    const contribution = outputs.find((output) => output.type === "contribution")
    if (!contribution) throw new Error("invariant: the agreement gave no contribution for a proposal")
    return joinAttachments(classical, contribution.bytes)
  }

  begin(view: View, statementsDigest: Uint8Array): readonly EpochKeysOutput[] {
    this.#forget()
    const { self, conferenceId, descriptorHash, cipher, postQuantum } = this.#config
    const parts = [...view.attachments].map(([id, bytes]) => [id, splitAttachment(bytes)] as const)
    const place = { conferenceId, descriptorHash, viewId: hexToBytes(view.id), statementsDigest }
    const sid = postQuantumSid({ ...place, cipher: cipher.name, postQuantum })
    this.#sid = sid
    const attachments = new Map(parts.map(([id, part]) => [id, part.postQuantum]))
    const members = view.members.map(({ id }) => id)
    const random = this.#config.random.bytes(RANDOM_BYTES)
    const { proposal } = view
    const keyed = { sid, self, members, proposal, attachments }
    const outputs = this.#module.step({ type: "view", view: keyed, random })
    random.fill(0)
    this.#run(outputs)
    const classical = new Map(parts.map(([id, part]) => [id, part.classical]))
    this.#take(this.#classical.begin({ ...view, attachments: classical }, statementsDigest))
    return this.#outputs.splice(0)
  }

  handle(input: EpochKeysInput): readonly EpochKeysOutput[] {
    if (input.type !== "postQuantum") this.#take(this.#classical.handle(input))
    else this.#run(this.#module.step({ type: "message", from: input.from, via: "multicast", bytes: input.bytes }))
    return this.#outputs.splice(0)
  }

  renew(): void {
    this.#classical.renew()
  }

  erase(): void {
    this.#forget()
    this.#module.erase()
    this.#classical.erase()
  }

  #run(outputs: readonly KeyAgreementOutput[]): void {
    for (const output of outputs) {
      if (output.type === "multicast") {
        const body = encodeAgreementBody({ type: "postQuantum", bytes: output.bytes })
        this.#outputs.push({ type: "multicast", body })
      } else if (output.type === "fault") this.#outputs.push(output)
      else if (output.type === "secret") {
        this.#postQuantum = output
        this.#combine()
      } else throw new Error(`unexpected ${output.type} from the post-quantum agreement`)
    }
  }

  /** Takes outputs of the classical keys. */
  #take(outputs: readonly EpochKeysOutput[]): void {
    for (const output of outputs) {
      if (output.type === "keyed") {
        this.#classicalKey = output
        this.#combine()
      } else this.#outputs.push(output)
    }
  }

  #combine(): void {
    const [classical, postQuantum] = [this.#classicalKey, this.#postQuantum]
    if (!classical || !postQuantum) return
    const transcript = hybridTranscript(classical.transcript, postQuantum.transcript)
    const sid = this.#sid!
    const epochKey = hybridEpochKey({ classical: classical.epochKey, postQuantum: postQuantum.secret, sid, transcript })
    this.#forget()
    this.#outputs.push({ type: "keyed", epochKey, transcript })
  }

  #forget(): void {
    this.#classicalKey?.epochKey.fill(0)
    this.#postQuantum?.secret.fill(0)
    this.#classicalKey = this.#postQuantum = null
  }
}

/** `conferenceId`: 16 bytes. The hash, the id and the digest have 32 bytes each. */
export type PostQuantumSidInput = {
  readonly conferenceId: Uint8Array
  readonly descriptorHash: Uint8Array
  readonly viewId: Uint8Array
  readonly statementsDigest: Uint8Array
  /** Names of the cipher of messages and of the post-quantum mode, as the descriptor has them. */
  readonly cipher: string
  readonly postQuantum: string
}

/** The session id of the post-quantum agreement of a view: 32 bytes. */
export function postQuantumSid(input: PostQuantumSidInput): Uint8Array {
  const { conferenceId, descriptorHash, viewId, statementsDigest, cipher, postQuantum } = input
  const names = new TextEncoder().encode(`${cipher} ${postQuantum}`)
  const place = [conferenceId, descriptorHash, viewId, statementsDigest, names]
  return sha256(domainSeparated("keymoot v1 post-quantum sid", ...place))
}

/** The proofs of the key are about both transcripts, so members that saw different messages notice. 32 bytes. */
export function hybridTranscript(classical: Uint8Array, postQuantum: Uint8Array): Uint8Array {
  return sha256(domainSeparated("keymoot v1 hybrid transcript", classical, postQuantum))
}
