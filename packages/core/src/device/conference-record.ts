import { conferenceIdOf } from "@keymoot/transport/signaling-protocol"
import { KeymootError } from "../api/index.ts"
import type { Invitation } from "../conference/invitation.ts"
import { type EnteredAs, type IdentityStore, type InvitationRecord, PEOPLE_KEPT_MAX } from "../identity/store.ts"
import { equalBytes } from "../wire/index.ts"

/**
 * Epoch numbers reserved at a time. An incarnation that crashes has used at most these, and the next one skips them.
 */
const EPOCH_BLOCK = 8

/**
 * Stored access to a conference, without its content, so that a reload returns as the same member in a new incarnation.
 */
export class ConferenceRecord {
  readonly #store: IdentityStore
  /** Earlier incarnations may have used epochs up to this one. */
  readonly epochFloor: number
  /** Invitation to share before any host's statement: that of the link, unless it is unproven. */
  readonly invitation: Invitation
  /**
   * Secret of the followed link if nothing known here proves it. Then this device knows the conference, and neither its
   * descriptor nor an earlier session has shown that the secret belongs to one of its invitations. It is not stored.
   */
  readonly unproven: Uint8Array | null
  /** This device had no record of the conference before, so no earlier incarnation has data here. */
  readonly isNew: boolean
  #record: InvitationRecord
  #forgotten = false

  private constructor(
    store: IdentityStore,
    record: InvitationRecord,
    epochFloor: number,
    invitation: Invitation,
    unproven: Uint8Array | null,
    isNew: boolean,
  ) {
    this.#store = store
    this.#record = record
    this.epochFloor = epochFloor
    this.invitation = invitation
    this.unproven = unproven
    this.isNew = isNew
  }

  /**
   * Reserves the next epochs before this incarnation starts.
   * @param descriptor as the directory sent it, decrypted with the invitation
   * @param as null if nobody enters now
   * @throws KeymootError `storage-unavailable`, and as `assertSameConference`; then nothing is saved
   */
  static async open(
    store: IdentityStore,
    invitation: Invitation,
    descriptor: Uint8Array,
    as: EnteredAs | null = null,
  ): Promise<ConferenceRecord> {
    const { conferenceId, server, descriptorHash, secret, roomKey } = invitation
    const stored = await store.loadInvitation(conferenceId)
    assertSameConference(stored, invitation)
    const epochFloor = stored?.epochBlock ?? 0
    const known = stored ? [stored.secret, ...(stored.otherSecrets ?? [])] : []
    const others = known.filter((other) => !equalBytes(other, secret))
    // Without a room key beside it, the secret has decrypted the one in the descriptor.
    const proven = !stored || others.length < known.length || roomKey === null
    const [first, ...otherSecrets] = proven ? [secret, ...others] : known
    const key = (proven ? roomKey : null) ?? stored?.roomKey
    const entered = as ?? stored?.as
    const record = new ConferenceRecord(
      store,
      {
        conferenceId,
        server,
        descriptorHash,
        secret: first!,
        otherSecrets,
        epochBlock: epochFloor + EPOCH_BLOCK,
        descriptor,
        incarnation: Math.max(Date.now(), (stored?.incarnation ?? 0) + 1),
        ...(key && { roomKey: key }),
        ...(stored?.statements && { statements: stored.statements }),
        ...(stored?.people && { people: stored.people }),
        ...(entered && { as: entered }),
      },
      epochFloor,
      proven ? invitation : invitationOf(stored),
      proven ? null : secret,
      stored === null,
    )
    await store.saveInvitation(record.#record)
    return record
  }

  get incarnation(): number {
    return this.#record.incarnation
  }

  /** As the creator signed it. */
  get descriptor(): Uint8Array {
    return this.#record.descriptor!
  }

  /** Statements of hosts that an earlier incarnation stored. */
  get statements(): Uint8Array | null {
    return this.#record.statements ?? null
  }

  /** Secrets of all invitations that this device has had. That of the link is first, unless it is unproven. */
  get secrets(): readonly Uint8Array[] {
    return [this.#record.secret, ...(this.#record.otherSecrets ?? [])]
  }

  usedEpoch(epoch: number): void {
    if (epoch < this.#record.epochBlock - EPOCH_BLOCK / 2) return
    void this.#save({ epochBlock: epoch + EPOCH_BLOCK })
  }

  /** Keeps the names of other members, newest last; repeated names once. */
  met(names: readonly string[]): void {
    const before = this.#record.people ?? []
    const people = [...before.filter((name) => !names.includes(name)), ...new Set(names)].slice(-PEOPLE_KEPT_MAX)
    if (people.length === before.length && people.every((name, index) => name === before[index])) return
    void this.#save({ people })
  }

  /** `secrets`: the present one first. Resolves when the record is stored, or cannot be. */
  keep(changes: {
    readonly secrets: readonly Uint8Array[]
    readonly statements: Uint8Array
    readonly roomKey: Uint8Array | null
  }): Promise<void> {
    const [secret, ...otherSecrets] = changes.secrets
    const { roomKey, statements } = changes
    return this.#save({ secret: secret!, otherSecrets, statements, ...(roomKey && { roomKey }) })
  }

  /** @throws KeymootError `storage-unavailable` */
  async forget(): Promise<void> {
    this.#forgotten = true
    await this.#store.deleteInvitation(this.#record.conferenceId)
  }

  /** A member that left has deleted the invitation. A last view must not store it again. */
  async #save(changes: Partial<InvitationRecord>): Promise<void> {
    if (this.#forgotten) return
    this.#record = { ...this.#record, ...changes }
    // A full disk must not end a conference. The incarnation still distinguishes runs.
    await this.#store.saveInvitation(this.#record).catch(() => undefined)
  }
}

/**
 * Rejects a link to another descriptor or server than the stored conference's. Such a link must not change the stored
 * data, nor restore it elsewhere: its creator would choose who gets the log and the documents.
 * @param stored the record under the id of `invitation`
 * @throws KeymootError `descriptor-mismatch`: another descriptor; `invalid-link`: another server
 */
export function assertSameConference(stored: InvitationRecord | null, invitation: Invitation): void {
  if (!stored) return
  if (!equalBytes(stored.descriptorHash, invitation.descriptorHash)) {
    const message =
      "This link leads to another conference than the one that this device keeps under the same id. Do not use it."
    throw new KeymootError("descriptor-mismatch", message)
  }
  if (stored.server !== invitation.server) {
    const message = `This link leads to ${invitation.server}, and this device has been in the conference at ${stored.server}. Enter it there. If it has moved, forget it on this device first.`
    throw new KeymootError("invalid-link", message)
  }
}

/**
 * Returns the invitation to enter again.
 * @throws KeymootError `conference-over`: an older version created it, and its id is not bound to its descriptor
 */
function invitationOf(record: InvitationRecord): Invitation {
  if (record.conferenceId !== conferenceIdOf(record.descriptorHash)) {
    const message =
      "This conference was made by an older version of Keymoot and cannot be opened any more. Forget it on this device, and make a new one."
    throw new KeymootError("conference-over", message)
  }
  const { conferenceId, server, descriptorHash, secret, roomKey = null } = record
  return { conferenceId, server, descriptorHash, secret, roomKey }
}

/** Data that this device keeps to enter a conference again. */
export type StoredAccess = {
  readonly invitation: Invitation
  readonly descriptor: Uint8Array | null
  readonly statements: Uint8Array | null
}

/** @throws KeymootError `no-invitation`, `storage-unavailable` */
export async function storedAccess(store: IdentityStore, id: string): Promise<StoredAccess> {
  const record = await store.loadInvitation(id)
  if (!record) throw noInvitation()
  const { descriptor = null, statements = null } = record
  return { invitation: invitationOf(record), descriptor, statements }
}

/** Returns null without a record, or if the identity is not on this device any more. */
export async function enteredAs(store: IdentityStore, id: string): Promise<EnteredAs | null> {
  const as = (await store.loadInvitation(id))?.as
  return as && (await store.load(as.identity)) ? as : null
}

export function noInvitation(): KeymootError {
  const message = "This device has no key for this conference. Open it with its whole invitation link."
  return new KeymootError("no-invitation", message)
}
