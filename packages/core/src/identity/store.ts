import { KeymootError } from "../api.ts"

/** What a device keeps of its owner. */
export type IdentityRecord = {
  readonly name: string
  /** DER. */
  readonly certificate: Uint8Array
  readonly keyPair: CryptoKeyPair
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
}

/** Per identity. At the bound the invitation that was saved longest ago is forgotten: its link opens it again. */
export const INVITATIONS_STORED_MAX = 64

/**
 * Where an identity lives. Everything rejects with `KeymootError` `storage-unavailable` only. A record read is the
 * caller's own copy.
 */
export interface IdentityStore {
  /** Whether its keys must be made extractable for it to keep them. */
  readonly needsExtractableKeys: boolean
  load(): Promise<IdentityRecord | null>
  save(record: IdentityRecord): Promise<void>
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
