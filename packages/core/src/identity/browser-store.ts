import { type DBSchema, type IDBPDatabase, openDB } from "idb"

import {
  type IdentityRecord,
  type IdentityStore,
  INVITATIONS_STORED_MAX,
  type InvitationRecord,
  storageUnavailable,
} from "./store.ts"

interface Schema extends DBSchema {
  identity: { key: "self"; value: IdentityRecord }
  invitations: { key: string; value: InvitationRecord & { savedAtMs: number }; indexes: { savedAtMs: number } }
}

const SCHEMA_VERSION = 1

/**
 * The browser's IndexedDB, where the private key stays non-extractable: scripts can use it and cannot read it. (A disk is
 * another matter: browsers do not encrypt what they store.)
 */
export function createBrowserStore(databaseName = "keymoot"): IdentityStore {
  let opened: Promise<IDBPDatabase<Schema>> | null = null

  /** Opens on first use, and again after the browser closed it or another tab asked for a newer schema. */
  function database(): Promise<IDBPDatabase<Schema>> {
    opened ??= openDB<Schema>(databaseName, SCHEMA_VERSION, {
      upgrade(db) {
        db.createObjectStore("identity")
        db.createObjectStore("invitations", { keyPath: "conferenceId" }).createIndex("savedAtMs", "savedAtMs")
      },
      blocking: () => void close(),
      terminated: () => {
        opened = null
      },
    })
    return opened
  }

  async function close(): Promise<void> {
    const closing = opened
    opened = null
    await closing?.then(
      (db) => db.close(),
      () => undefined,
    )
  }

  async function withDatabase<T>(action: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    try {
      return await action(await database())
    } catch (error) {
      // Not kept: the next call may find the storage usable.
      opened = null
      throw storageUnavailable(error)
    }
  }

  return {
    needsExtractableKeys: false,
    load: () => withDatabase(async (db) => (await db.get("identity", "self")) ?? null),
    save: (record) => withDatabase(async (db) => void (await db.put("identity", record, "self"))),
    loadInvitation: (conferenceId) => withDatabase((db) => loadInvitation(db, conferenceId)),
    saveInvitation: (invitation) => withDatabase((db) => saveInvitation(db, invitation)),
    deleteInvitation: (conferenceId) => withDatabase((db) => db.delete("invitations", conferenceId)),
    exclusively: (action) => navigator.locks.request(`${databaseName} identity`, action) as ReturnType<typeof action>,
    close,
  }
}

async function loadInvitation(db: IDBPDatabase<Schema>, conferenceId: string): Promise<InvitationRecord | null> {
  const stored = await db.get("invitations", conferenceId)
  if (stored === undefined) return null
  const { savedAtMs: _, ...invitation } = stored
  return invitation
}

/** In one transaction, so that two tabs together keep the bound. */
async function saveInvitation(db: IDBPDatabase<Schema>, invitation: InvitationRecord): Promise<void> {
  const transaction = db.transaction("invitations", "readwrite")
  await transaction.store.put({ ...invitation, savedAtMs: Date.now() })
  const oldestFirst = await transaction.store.index("savedAtMs").getAllKeys()
  for (const conferenceId of oldestFirst.slice(0, Math.max(0, oldestFirst.length - INVITATIONS_STORED_MAX))) {
    await transaction.store.delete(conferenceId)
  }
  await transaction.done
}
