import {
  createQueue,
  type IdentityRecord,
  type IdentityStore,
  INVITATIONS_STORED_MAX,
  type InvitationRecord,
} from "./store.ts"

/** Forgets everything with its process; for bots, tests, and where a person wants to leave no trace. */
export function createMemoryStore(): IdentityStore {
  let identity: IdentityRecord | null = null
  const invitations = new Map<string, InvitationRecord>()
  return {
    needsExtractableKeys: false,
    exclusively: createQueue(),
    load: async () => identity && { ...identity, certificate: identity.certificate.slice() },
    save: async (record) => {
      identity = { ...record, certificate: record.certificate.slice() }
    },
    loadInvitation: async (conferenceId) => structuredClone(invitations.get(conferenceId) ?? null),
    saveInvitation: async (invitation) => keepLatest(invitations, structuredClone(invitation)),
    deleteInvitation: async (conferenceId) => void invitations.delete(conferenceId),
    close: async () => undefined,
  }
}

/** Puts the invitation last, and drops from the front what is over the bound. */
export function keepLatest(invitations: Map<string, InvitationRecord>, invitation: InvitationRecord): void {
  invitations.delete(invitation.conferenceId)
  invitations.set(invitation.conferenceId, invitation)
  for (const conferenceId of invitations.keys()) {
    if (invitations.size <= INVITATIONS_STORED_MAX) return
    invitations.delete(conferenceId)
  }
}
