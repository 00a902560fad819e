/** Completes this member's own link records and verifies those of others. */
import { equalBytes } from "@noble/ciphers/utils.js"
import {
  completeLinkRecord,
  encodeLinkRecord,
  invitationProof,
  signedLinkRecord,
  type Credential,
  type InvitationKeys,
  type LinkRecord,
  type LinkState,
  type MemberId,
  type Signer,
  type Status,
} from "@keymoot/transport"
import type { MemberCredential, MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"

/** `keys`: newest keys of this member that the record's origin has proved to hold; null if none. */
export type CheckedRecord = LinkRecord & { readonly credential: MemberCredential; readonly keys: InvitationKeys | null }

/** Admission's rules for the overlay. */
export type OverlayPolicy = {
  /** Keys of the invitations that this member holds, newest first. */
  readonly keys: readonly InvitationKeys[]
  /** Whether a member may be in the conference, and so be a neighbour. */
  mayBeInside(credential: Credential, keys: InvitationKeys): boolean
}

export type LinkRecordsConfig = {
  readonly conferenceTag: Uint8Array
  readonly signer: Signer
  readonly own: MemberCredential
  readonly checker: MemberCredentialChecker
  readonly policy: OverlayPolicy
}

export class LinkRecords {
  readonly #config: LinkRecordsConfig

  constructor(config: LinkRecordsConfig) {
    this.#config = config
  }

  async complete(state: LinkState, status: Status): Promise<CheckedRecord> {
    const { signer, conferenceTag, own, policy } = this.#config
    const held = policy.keys
    const proofs = held.map((each) => this.#proof(each, state))
    const staticPart = encodeLinkRecord({ ...state, status, proofs })
    const signature = await signer.sign(signedLinkRecord(conferenceTag, staticPart))
    return { ...completeLinkRecord(staticPart, signature), credential: own, keys: held[0] ?? null }
  }

  /** Returns null unless its origin has signed it. */
  async check(record: LinkRecord, credential: MemberCredential): Promise<CheckedRecord | null> {
    const { checker, conferenceTag } = this.#config
    const signed = signedLinkRecord(conferenceTag, record.staticPart)
    if (!(await checker.verify(credential.publicKey, signed, record.signature))) return null
    return { ...record, credential, keys: this.keysOf(record) }
  }

  /** Returns keys by the invitations that this member holds now. */
  keysOf(record: LinkRecord): InvitationKeys | null {
    const shows = (keys: InvitationKeys): boolean => {
      const proof = this.#proof(keys, record)
      return record.proofs.some((given) => equalBytes(given, proof))
    }
    return this.#config.policy.keys.find(shows) ?? null
  }

  #proof(
    { association }: InvitationKeys,
    { origin, incarnation }: { origin: MemberId; incarnation: number },
  ): Uint8Array {
    return invitationProof(association, this.#config.conferenceTag, origin, incarnation)
  }
}
