import type { DBSchema, IDBPDatabase } from "idb"

import { createBrowserBlockStore } from "../device/stores/browser-block-store.ts"
import { BrowserDatabase } from "../device/stores/browser-database.ts"
import { createBrowserCopyStore } from "../device/stores/browser-copy-store.ts"
import {
  type IdentityRecord,
  type IdentityStore,
  INVITATIONS_STORED_MAX,
  type InvitationRecord,
  storageUnavailable,
} from "./store.ts"
import { chosenOf } from "./memory-store.ts"

interface Schema extends DBSchema {
  /** The identity of the first version has the id "self". */
  identity: { key: string; value: Omit<IdentityRecord, "id"> }
  /** Id of the chosen identity. */
  settings: { key: "chosen"; value: string }
  invitations: { key: string; value: InvitationRecord & { savedAtMs: number }; indexes: { savedAtMs: number } }
}

const SCHEMA_VERSION = 2

/**
 * Store in the browser's IndexedDB. The private key is non-extractable: scripts can use it and cannot read it. Browsers
 * do not encrypt the disk.
 */
export function createBrowserStore(databaseName = "keymoot"): IdentityStore {
  const database = new BrowserDatabase<Schema>(databaseName, SCHEMA_VERSION, (db, from) => {
    if (from < 1) {
      db.createObjectStore("identity")
      db.createObjectStore("invitations", { keyPath: "conferenceId" }).createIndex("savedAtMs", "savedAtMs")
    }
    if (from < 2) db.createObjectStore("settings")
  })

  async function withDatabase<T>(action: (db: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
    try {
      return await action(await database.open())
    } catch (error) {
      database.forgetOpened()
      throw storageUnavailable(error)
    }
  }

  return {
    copies: createBrowserCopyStore(`${databaseName}-copies`),
    files: createBrowserBlockStore(`${databaseName}-files`),
    needsExtractableKeys: false,
    list: () => withDatabase(listIdentities),
    load: (id) =>
      withDatabase(async (db) => {
        if (id === undefined) return chosenOf(await listIdentities(db), (await db.get("settings", "chosen")) ?? null)
        const record = await db.get("identity", id)
        return record ? { ...record, id } : null
      }),
    save: ({ id, ...record }) => withDatabase(async (db) => void (await db.put("identity", record, id))),
    remove: (id) => withDatabase((db) => db.delete("identity", id)),
    choose: (id) => withDatabase(async (db) => void (await db.put("settings", id, "chosen"))),
    listInvitations: () => withDatabase(async (db) => (await db.getAll("invitations")).map(recordOf)),
    loadInvitation: (conferenceId) => withDatabase((db) => loadInvitation(db, conferenceId)),
    saveInvitation: (invitation) => withDatabase((db) => saveInvitation(db, invitation)),
    deleteInvitation: (conferenceId) => withDatabase((db) => db.delete("invitations", conferenceId)),
    exclusively: (action) => navigator.locks.request(`${databaseName} identity`, action) as ReturnType<typeof action>,
    close: () => database.close(),
  }
}

/** One transaction, so that ids and records are consistent. */
async function listIdentities(db: IDBPDatabase<Schema>): Promise<IdentityRecord[]> {
  const { store } = db.transaction("identity")
  const [ids, records] = await Promise.all([store.getAllKeys(), store.getAll()])
  return records.map((record, i) => ({ ...record, id: ids[i]! }))
}

async function loadInvitation(db: IDBPDatabase<Schema>, conferenceId: string): Promise<InvitationRecord | null> {
  const stored = await db.get("invitations", conferenceId)
  return stored === undefined ? null : recordOf(stored)
}

function recordOf(stored: Schema["invitations"]["value"]): InvitationRecord {
  const { savedAtMs: _, ...record } = stored
  return record
}

/** One transaction, so that two tabs together respect the bound. */
async function saveInvitation(db: IDBPDatabase<Schema>, invitation: InvitationRecord): Promise<void> {
  const transaction = db.transaction("invitations", "readwrite")
  await transaction.store.put({ ...invitation, savedAtMs: Date.now() })
  const oldestFirst = await transaction.store.index("savedAtMs").getAllKeys()
  for (const conferenceId of oldestFirst.slice(0, Math.max(0, oldestFirst.length - INVITATIONS_STORED_MAX))) {
    await transaction.store.delete(conferenceId)
  }
  await transaction.done
}
