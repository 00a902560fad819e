import { conferenceIdOf } from "@keymoot/transport/signaling-protocol"
import { KeymootError } from "../api/index.ts"
import type { Invitation } from "../conference/invitation.ts"
import {
  type EnteredAs,
  IDENTITIES_STORED_MAX,
  type IdentityStore,
  type InvitationRecord,
  PEOPLE_KEPT_MAX,
} from "../identity/store.ts"
import { equalBytes } from "../wire/index.ts"

/**
 * Epoch numbers reserved at a time. An incarnation that crashes has used at most these, and the next one skips them.
 */
const EPOCH_BLOCK = 8

/**
 * Stored access to a conference, without its content, so that a reload returns as the same member in a new incarnation.
 * The identities of one device share it, and each has its own copy of the content. It is deleted with the last of them.
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
  readonly #as: EnteredAs | null
  #forgotten = false

  private constructor(
    store: IdentityStore,
    record: InvitationRecord,
    as: EnteredAs | null,
    epochFloor: number,
    invitation: Invitation,
    unproven: Uint8Array | null,
    isNew: boolean,
  ) {
    this.#store = store
    this.#record = record
    this.#as = as
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
    return store.exclusively(() => ConferenceRecord.#open(store, invitation, descriptor, as))
  }

  static async #open(
    store: IdentityStore,
    invitation: Invitation,
    descriptor: Uint8Array,
    as: EnteredAs | null,
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
    const entrants = entrantsOf(stored).filter(({ identity }) => identity !== as?.identity)
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
        ...enteredBy(as ? [...entrants, as] : entrants),
      },
      as,
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
    await forgetAccess(this.#store, this.#record.conferenceId, this.#as?.identity ?? null)
  }

  /** A member that left has deleted the invitation. A last view must not store it again. */
  async #save(changes: Partial<InvitationRecord>): Promise<void> {
    this.#record = { ...this.#record, ...changes }
    const write = async () => {
      if (this.#forgotten) return
      // Another identity may have entered or left in another tab.
      const { as: _as, others: _others, ...record } = this.#record
      const stored = (await this.#store.loadInvitation(record.conferenceId)) ?? this.#record
      await this.#store.saveInvitation({ ...record, ...enteredBy(entrantsOf(stored)) })
    }
    // A full disk must not end a conference. The incarnation still distinguishes runs.
    await this.#store.exclusively(write).catch(() => undefined)
  }
}

/**
 * Deletes an identity's access to a conference. The record stays while another identity of this device may return.
 * @param identity its id; null if nobody has entered
 * @throws KeymootError `storage-unavailable`
 */
export async function forgetAccess(store: IdentityStore, id: string, identity: string | null): Promise<void> {
  await store.exclusively(async () => {
    const record = await store.loadInvitation(id)
    const rest = (await presentEntrants(store, record)).filter((each) => each.identity !== identity)
    if (!record || rest.length === 0) return store.deleteInvitation(id)
    const { as: _as, others: _others, ...access } = record
    await store.saveInvitation({ ...access, ...enteredBy(rest) })
  })
}

/** Identities that have entered and not left, latest last. */
function entrantsOf(record: InvitationRecord | null): readonly EnteredAs[] {
  const { as, others = [] } = record ?? {}
  return as ? [...others, as] : others
}

function enteredBy(entrants: readonly EnteredAs[]): Pick<InvitationRecord, "as" | "others"> {
  const as = entrants.at(-1)
  const others = entrants.slice(-IDENTITIES_STORED_MAX, -1)
  return { ...(as && { as }), ...(others.length > 0 && { others }) }
}

/** Without identities that are not on this device any more. */
async function presentEntrants(store: IdentityStore, record: InvitationRecord | null): Promise<EnteredAs[]> {
  const here = new Set((await store.list()).map(({ id }) => id))
  return entrantsOf(record).filter(({ identity }) => here.has(identity))
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

/** Returns the chosen identity if it has entered, otherwise the last one. Null if none is on this device any more. */
export async function enteredAs(store: IdentityStore, id: string): Promise<EnteredAs | null> {
  const entrants = await presentEntrants(store, await store.loadInvitation(id))
  const chosen = await store.load()
  return entrants.find(({ identity }) => identity === chosen?.id) ?? entrants.at(-1) ?? null
}

export function noInvitation(): KeymootError {
  const message = "This device has no key for this conference. Open it with its whole invitation link."
  return new KeymootError("no-invitation", message)
}
