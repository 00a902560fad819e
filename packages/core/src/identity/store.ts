import { bytesToHex, randomBytes } from "@noble/hashes/utils.js"
import { KeymootError } from "../api/index.ts"
import type { Certification } from "./certification.ts"
import type { BlockStore } from "../device/stores/block-store.ts"
import type { CopyStore } from "../device/stores/copy-store.ts"

/** Stored identity of this device's owner. */
export type IdentityRecord = {
  /** Id on this device only. */
  readonly id: string
  readonly name: string
  /** DER. */
  readonly certificate: Uint8Array
  readonly keyPair: CryptoKeyPair
  /** People that the owner has verified (verified-people.ts); none if missing. */
  readonly verified?: Uint8Array
  /** Certificates that authorities issued for this key (certification.ts), latest last; none if missing. */
  readonly certifications?: readonly Certification[]
  /** Certificates of this key from before a change of name or a renewal, latest last; none if missing. */
  readonly former?: readonly Uint8Array[]
}

/**
 * Bound on the former certificates of an identity. Directories and guest lists may still hold them. One more evicts the
 * oldest.
 */
export const FORMER_CERTIFICATES_MAX = 4

/** Stored access to a conference, so that a reload returns to it. Leaving deletes it. */
export type InvitationRecord = {
  /** Hex, 32 digits. */
  readonly conferenceId: string
  readonly secret: Uint8Array
  readonly descriptorHash: Uint8Array
  /** Origin of the server. */
  readonly server: string
  /** End of the last reserved block of epoch numbers. */
  readonly epochBlock: number
  /** The last incarnation. A session that lost its state takes a higher one. */
  readonly incarnation: number
  /** Room key from a link of a later generation. */
  readonly roomKey?: Uint8Array
  /** Secrets of other generations, newest first. */
  readonly otherSecrets?: readonly Uint8Array[]
  /** Statements of hosts (`encodeStatements`). */
  readonly statements?: Uint8Array
  /**
   * Descriptor from the directory, encrypted under the secret. Missing before this version has entered the conference.
   */
  readonly descriptor?: Uint8Array
  /** Names of the other members met last, for a list of conferences. At most `PEOPLE_KEPT_MAX`. */
  readonly people?: readonly string[]
  /** Own name there, and the id of the identity. Missing before this version has entered the conference. */
  readonly as?: EnteredAs
  /** Other identities that have entered before and not left, latest last. At most `IDENTITIES_STORED_MAX` with `as`. */
  readonly others?: readonly EnteredAs[]
}

export type EnteredAs = { readonly name: string; readonly identity: string }

/** Bound on the names in a conference's record; the ones met first are dropped. */
export const PEOPLE_KEPT_MAX = 8

/** Bound on stored identities. Creating one more is refused. */
export const IDENTITIES_STORED_MAX = 16

export function createIdentityId(): string {
  return bytesToHex(randomBytes(16))
}

/** Bound on stored invitations of a device. Beyond it the one saved longest ago is deleted; its link opens it again. */
export const INVITATIONS_STORED_MAX = 64

/**
 * Storage of identities. All calls reject only with `KeymootError` `storage-unavailable`. A returned record is the
 * caller's own copy.
 */
export interface IdentityStore {
  /** Local copies of the conferences' contents. */
  readonly copies: CopyStore
  /** Blocks of fetched files. */
  readonly files: BlockStore
  /** Whether the store can keep only extractable keys. */
  readonly needsExtractableKeys: boolean
  /** Sorted by id. */
  list(): Promise<IdentityRecord[]>
  /** Loads an identity. Without an id: the chosen one, or the first if none is chosen or the chosen one is deleted. */
  load(id?: string): Promise<IdentityRecord | null>
  /** Replaces the record with this id. */
  save(record: IdentityRecord): Promise<void>
  remove(id: string): Promise<void>
  choose(id: string): Promise<void>
  /** Unordered. */
  listInvitations(): Promise<InvitationRecord[]>
  loadInvitation(conferenceId: string): Promise<InvitationRecord | null>
  /** Replaces the conference's record. */
  saveInvitation(invitation: InvitationRecord): Promise<void>
  deleteInvitation(conferenceId: string): Promise<void>
  /** Runs one action at a time among all users of this storage, including other tabs. */
  exclusively<T>(action: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function storageUnavailable(cause: unknown): KeymootError {
  const message =
    "Keymoot could not use this device's storage. Free some space, or allow this site to store data, and try again."
  return new KeymootError("storage-unavailable", message, { cause })
}
