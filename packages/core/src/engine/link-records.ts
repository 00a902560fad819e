/** Completes what this member tells of itself over the overlay, and checks what others tell. */
import {
  completeLinkRecord,
  decodeLinkRecord,
  encodeLinkRecord,
  invitationProof,
  signedLinkRecord,
  type InvitationKeys,
  type LinkRecord,
  type LinkState,
  type MemberId,
  type Signer,
  type Status,
} from "@keymoot/transport"
import type { MemberCredential, MemberCredentialChecker } from "../identity/index.ts"
import { equalBytes } from "../wire/index.ts"

/** `keys`: the newest of ours that its origin has shown to hold; null if none. */
export type CheckedRecord = LinkRecord & { readonly credential: MemberCredential; readonly keys: InvitationKeys | null }

export type LinkRecordsConfig = {
  readonly conferenceTag: Uint8Array
  readonly signer: Signer
  readonly own: MemberCredential
  readonly checker: MemberCredentialChecker
  /** Of the invitations that this member holds, the newest first. */
  readonly keys: () => readonly InvitationKeys[]
}

export class LinkRecords {
  readonly #config: LinkRecordsConfig

  constructor(config: LinkRecordsConfig) {
    this.#config = config
  }

  async complete(state: LinkState, status: Status): Promise<CheckedRecord> {
    const { signer, conferenceTag, own, keys } = this.#config
    const held = keys()
    const proofs = held.map((each) => this.#proof(each, state))
    const staticPart = encodeLinkRecord({ ...state, status, proofs })
    const signature = await signer.sign(signedLinkRecord(conferenceTag, staticPart))
    return { ...completeLinkRecord(staticPart, signature), credential: own, keys: held[0] ?? null }
  }

  read(bytes: Uint8Array): LinkRecord | null {
    return decodeLinkRecord(bytes)
  }

  /** Null unless its origin has signed it. */
  async check(record: LinkRecord, credential: MemberCredential): Promise<CheckedRecord | null> {
    const { checker, conferenceTag } = this.#config
    const signed = signedLinkRecord(conferenceTag, record.staticPart)
    if (!(await checker.verify(credential.publicKey, signed, record.signature))) return null
    return { ...record, credential, keys: this.keysOf(record) }
  }

  /** As far as the invitations go that this member holds now. */
  keysOf(record: LinkRecord): InvitationKeys | null {
    const shows = (keys: InvitationKeys): boolean => {
      const proof = this.#proof(keys, record)
      return record.proofs.some((given) => equalBytes(given, proof))
    }
    return this.#config.keys().find(shows) ?? null
  }

  #proof(
    { association }: InvitationKeys,
    { origin, incarnation }: { origin: MemberId; incarnation: number },
  ): Uint8Array {
    return invitationProof(association, this.#config.conferenceTag, origin, incarnation)
  }
}
