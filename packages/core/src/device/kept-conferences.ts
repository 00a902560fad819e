/** Stored data of conferences that this device has not left. */
import { bytesToHex } from "@noble/hashes/utils.js"
import { type KeptConference, KeymootError } from "../api/index.ts"
import { type Descriptor, openDescriptor } from "../conference/descriptor.ts"
import { formatInvitation, type Invitation } from "../conference/invitation.ts"
import type { OwnIdentity } from "../identity/own-identity.ts"
import type { IdentityStore, InvitationRecord } from "../identity/store.ts"
import type { MemberCredentialChecker } from "../identity/certificates/credential-checker.ts"
import { rawPublicKey } from "../identity/key-pair.ts"
import { forgetAccess } from "./conference-record.ts"
import { LocalCopy } from "./stores/local-copy.ts"
import { isLockHeld } from "../queues/exclusive-lock.ts"

/** Returns the end of a conference by the stored statements of its hosts. */
type EndOf = (
  descriptor: Descriptor,
  statements: Uint8Array | null,
  checker: MemberCredentialChecker,
) => Promise<number>

/** Returns them, last entered first. @throws KeymootError `storage-unavailable` */
export async function listKept(
  store: IdentityStore,
  checker: MemberCredentialChecker,
  nowMs: number,
  endOf: EndOf,
): Promise<KeptConference[]> {
  const kept: KeptConference[] = []
  for (const record of await store.listInvitations()) {
    const invitation = { ...record, roomKey: record.roomKey ?? null }
    const about = await aboutOf(record, invitation, checker, nowMs, endOf)
    const { conferenceId: id, incarnation: enteredAtMs, people = [] } = record
    kept.push({ id, invitation: { url: formatInvitation(invitation) }, about, people, enteredAtMs })
  }
  return kept.sort((a, b) => b.enteredAtMs - a.enteredAtMs)
}

async function aboutOf(
  record: InvitationRecord,
  invitation: Invitation,
  checker: MemberCredentialChecker,
  nowMs: number,
  endOf: EndOf,
) {
  if (!record.descriptor) return null
  try {
    const descriptor = await openDescriptor(record.descriptor, invitation, checker, nowMs)
    const { title, startsAtMs: opensAtMs, expiresAtMs: latestEndMs } = descriptor
    const endsAtMs = await endOf(descriptor, record.statements ?? null, checker)
    return { title, timeFrame: { opensAtMs, endsAtMs, latestEndMs } }
  } catch {
    return null
  }
}

/**
 * Deletes the invitation and the copies of all identities of this device, like leaving. No member is notified.
 * @throws KeymootError `already-open`: it is open on this device; `storage-unavailable`
 */
export async function forgetKept(store: IdentityStore, id: string): Promise<void> {
  if (await isLockHeld((name) => name.startsWith("keymoot ") && name.endsWith(` ${id}`))) {
    throw new KeymootError("already-open", "This conference is open in another tab or window. Leave it there.")
  }
  await store.deleteInvitation(id)
  for (const { keyPair } of await store.list()) await forgetCopy(store, await rawPublicKey(keyPair), id)
}

/**
 * Deletes an identity's copies of all conferences, also of those whose invitations the bound has evicted. Nobody could
 * delete them without its key. Invitations stay, because other identities may use them. An unknown identity has no
 * copies.
 * @throws KeymootError `already-open`: this identity is in a conference; `storage-unavailable`
 */
export async function forgetCopiesOf(store: IdentityStore, identity: string): Promise<void> {
  const record = await store.load(identity)
  if (!record) return
  const owner = await rawPublicKey(record.keyPair)
  if (await isLockHeld((name) => name.startsWith(locksOf(owner)))) {
    throw new KeymootError("already-open", "This identity is in a conference, perhaps in another tab. Leave it first.")
  }
  const invited = (await store.listInvitations()).map(({ conferenceId }) => conferenceId)
  const prefix = new LocalCopy(store.copies, owner, "").id
  const stored = [...(await store.copies.list()), ...(await store.files.list())].filter((id) => id.startsWith(prefix))
  const conferences = new Set([...invited, ...stored.map((id) => id.slice(prefix.length))])
  for (const conference of conferences) await forgetCopy(store, owner, conference)
}

/** Beginning of the names of the locks that an identity's sessions hold. The conference's id follows. */
export function locksOf(publicKey: Uint8Array): string {
  return `keymoot ${bytesToHex(publicKey)} `
}

/** Deletes this identity's copy of a conference, and its access. @throws KeymootError `storage-unavailable` */
export async function forgetOwn(store: IdentityStore, identity: OwnIdentity, id: string): Promise<void> {
  await forgetAccess(store, id, identity.id)
  await forgetCopy(store, identity.publicKey, id)
}

async function forgetCopy(store: IdentityStore, owner: Uint8Array, conference: string): Promise<void> {
  const copy = new LocalCopy(store.copies, owner, conference)
  await copy.forget()
  await store.files.forget(copy.id)
}
