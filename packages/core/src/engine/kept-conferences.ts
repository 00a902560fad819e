/** What this device keeps of conferences that it has not left. */
import { type KeptConference, KeymootError } from "../api.ts"
import { openDescriptor } from "../conference/index.ts"
import type { IdentityStore, InvitationRecord, MemberCredentialChecker } from "../identity/index.ts"
import { rawPublicKey } from "../identity/key-pair.ts"
import { LocalCopy } from "../local-copies/index.ts"
import { isLockHeld } from "./exclusive-lock.ts"

/** The last entered first. What is over is of no use any more, and is forgotten. @throws KeymootError `storage-unavailable` */
export async function listKept(
  store: IdentityStore,
  checker: MemberCredentialChecker,
  nowMs: number,
): Promise<KeptConference[]> {
  const kept: KeptConference[] = []
  for (const record of await store.listInvitations()) {
    const about = await aboutOf(record, checker, nowMs)
    if (about === "over") await forgetKept(store, record.conferenceId).catch(ignoreOpen)
    else kept.push({ id: record.conferenceId, about, enteredAtMs: record.incarnation })
  }
  return kept.sort((a, b) => b.enteredAtMs - a.enteredAtMs)
}

async function aboutOf(record: InvitationRecord, checker: MemberCredentialChecker, nowMs: number) {
  if (!record.descriptor) return null
  try {
    const invitation = { ...record, roomKey: record.roomKey ?? null }
    const {
      title,
      startsAtMs: opensAtMs,
      endsAtMs,
    } = await openDescriptor(record.descriptor, invitation, checker, nowMs)
    return { title, timeFrame: { opensAtMs, endsAtMs } }
  } catch (error) {
    return error instanceof KeymootError && error.code === "conference-over" ? "over" : null
  }
}

/**
 * The invitation, and the copies of all identities of this device, as leaving does; nobody is told.
 * @throws KeymootError `already-open`: it is open on this device; `storage-unavailable`
 */
export async function forgetKept(store: IdentityStore, id: string): Promise<void> {
  if (await isLockHeld((name) => name.startsWith("keymoot ") && name.endsWith(` ${id}`))) {
    throw new KeymootError("already-open", "This conference is open in another tab or window. Leave it there.")
  }
  await store.deleteInvitation(id)
  for (const { keyPair } of await store.list()) {
    const copy = new LocalCopy(store.copies, await rawPublicKey(keyPair), id)
    await copy.forget()
    await store.files.forget(copy.id)
  }
}

function ignoreOpen(error: unknown): void {
  if (!(error instanceof KeymootError && error.code === "already-open")) throw error
}
