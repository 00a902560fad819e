import { createMemoryBlockStore } from "../device/stores/block-store.ts"
import { createMemoryCopyStore } from "../device/stores/memory-copy-store.ts"
import { type IdentityRecord, type IdentityStore, INVITATIONS_STORED_MAX, type InvitationRecord } from "./store.ts"
import { createQueue } from "../queues/action-queue.ts"

/** A store that ends with its process: for bots, tests, and people who want to leave no trace. */
export function createMemoryStore(): IdentityStore {
  const identities = new Map<string, IdentityRecord>()
  let chosen: string | null = null
  const invitations = new Map<string, InvitationRecord>()
  return {
    copies: createMemoryCopyStore(),
    files: createMemoryBlockStore(),
    needsExtractableKeys: false,
    exclusively: createQueue(),
    list: async () => byId([...identities.values()]).map(copyOf),
    load: async (id) => {
      const record = id === undefined ? chosenOf([...identities.values()], chosen) : identities.get(id)
      return record ? copyOf(record) : null
    },
    save: async (record) => void identities.set(record.id, copyOf(record)),
    remove: async (id) => void identities.delete(id),
    choose: async (id) => {
      chosen = id
    },
    listInvitations: async () => structuredClone([...invitations.values()]),
    loadInvitation: async (conferenceId) => structuredClone(invitations.get(conferenceId) ?? null),
    saveInvitation: async (invitation) => keepLatest(invitations, structuredClone(invitation)),
    deleteInvitation: async (conferenceId) => void invitations.delete(conferenceId),
    close: async () => undefined,
  }
}

export function byId<T extends { readonly id: string }>(records: readonly T[]): T[] {
  return records.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** See `IdentityStore.load`. */
export function chosenOf<T extends { readonly id: string }>(records: readonly T[], chosen: string | null): T | null {
  return records.find(({ id }) => id === chosen) ?? byId(records)[0] ?? null
}

function copyOf({ keyPair, ...rest }: IdentityRecord): IdentityRecord {
  return { ...structuredClone(rest), keyPair }
}

/** Appends the invitation and evicts the oldest beyond the bound. */
export function keepLatest(invitations: Map<string, InvitationRecord>, invitation: InvitationRecord): void {
  invitations.delete(invitation.conferenceId)
  invitations.set(invitation.conferenceId, invitation)
  for (const conferenceId of invitations.keys()) {
    if (invitations.size <= INVITATIONS_STORED_MAX) return
    invitations.delete(conferenceId)
  }
}
