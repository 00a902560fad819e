import { bytesToHex, randomBytes } from "@noble/hashes/utils.js"
import { KeymootError } from "../api.ts"
import type { Certification } from "./certification.ts"
import type { BlockStore } from "../files/block-store.ts"
import type { CopyStore } from "../local-copies/copy-store.ts"

/** What a device keeps of an owner. */
export type IdentityRecord = {
  /** On this device only. */
  readonly id: string
  readonly name: string
  /** DER. */
  readonly certificate: Uint8Array
  readonly keyPair: CryptoKeyPair
  /** Whom the owner has verified (verified-people.ts); none yet where it is missing. */
  readonly verified?: Uint8Array
  /** Of authorities, on this key (certification.ts), the latest last; none where it is missing. */
  readonly certifications?: readonly Certification[]
}

/** What a device keeps of a conference it takes part in, so that a reload comes back; forgotten on leaving. */
export type InvitationRecord = {
  /** Hex, 32 digits. */
  readonly conferenceId: string
  readonly secret: Uint8Array
  readonly descriptorHash: Uint8Array
  /** Origin. */
  readonly server: string
  /** End of the block of epoch numbers reserved so far. */
  readonly epochBlock: number
  /** The last one used: a session that lost its state takes a higher one. */
  readonly incarnation: number
  /** Brought along by a link of a later generation. */
  readonly roomKey?: Uint8Array
  /** Of other generations, the newest first. */
  readonly otherSecrets?: readonly Uint8Array[]
  /** What hosts have said (`encodeStatements`). */
  readonly statements?: Uint8Array
  /** As the directory gave it: sealed, and opened by the secret. Missing before it has been entered by this version. */
  readonly descriptor?: Uint8Array
}

/** Creating one more is refused. */
export const IDENTITIES_STORED_MAX = 16

export function createIdentityId(): string {
  return bytesToHex(randomBytes(16))
}

/** Per device. At the bound the invitation that was saved longest ago is forgotten: its link opens it again. */
export const INVITATIONS_STORED_MAX = 64

/**
 * Where an identity lives. Everything rejects with `KeymootError` `storage-unavailable` only. A record read is the
 * caller's own copy.
 */
export interface IdentityStore {
  /** Of the conferences' contents. */
  readonly copies: CopyStore
  /** Of files that were fetched. */
  readonly files: BlockStore
  /** Whether its keys must be made extractable for it to keep them. */
  readonly needsExtractableKeys: boolean
  /** In the order of their ids. */
  list(): Promise<IdentityRecord[]>
  /** Without an id: the chosen one; the first, if none has been chosen or that one is gone. */
  load(id?: string): Promise<IdentityRecord | null>
  /** Replaces the one with this id. */
  save(record: IdentityRecord): Promise<void>
  remove(id: string): Promise<void>
  choose(id: string): Promise<void>
  /** In no order. */
  listInvitations(): Promise<InvitationRecord[]>
  loadInvitation(conferenceId: string): Promise<InvitationRecord | null>
  /** Replaces what was saved for this conference. */
  saveInvitation(invitation: InvitationRecord): Promise<void>
  deleteInvitation(conferenceId: string): Promise<void>
  /** Runs one action at a time over everybody who uses this storage, other tabs included. */
  exclusively<T>(action: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Runs actions in the order of their coming, each after the end of the one before, however that ended. */
export function createQueue(): <T>(action: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (action) => {
    const run = last.then(action, action)
    last = run.catch(() => undefined)
    return run
  }
}

export function storageUnavailable(cause: unknown): KeymootError {
  const message =
    "Keymoot could not use this device's storage. Free some space, or allow this site to store data, and try again."
  return new KeymootError("storage-unavailable", message, { cause })
}
