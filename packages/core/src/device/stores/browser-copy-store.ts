import type { DBSchema, IDBPTransaction } from "idb"

import { account, BrowserDatabase, deleteAll } from "./browser-database.ts"
import {
  assertRoom,
  copyDeleted,
  COPIES_BYTES_MAX,
  type CopySize,
  type CopyStore,
  createCopyKey,
} from "./copy-store.ts"

type ConferenceRow = CopySize & { key: CryptoKey }
type RecordRow = { conferenceId: string; part: string; record: Uint8Array }

interface Schema extends DBSchema {
  conferences: { key: string; value: ConferenceRow }
  records: { key: number; value: RecordRow; indexes: { part: [string, string]; conferenceId: string } }
}
const STORES: ["conferences", "records"] = ["conferences", "records"]
type Transaction = IDBPTransaction<Schema, typeof STORES, "readwrite">

const SCHEMA_VERSION = 1

/** Copy store in an IndexedDB of its own, so that deleting a copy cannot affect the identity. */
export function createBrowserCopyStore(databaseName: string): CopyStore {
  const database = new BrowserDatabase<Schema>(databaseName, SCHEMA_VERSION, (db) => {
    db.createObjectStore("conferences", { keyPath: "conferenceId" })
    const records = db.createObjectStore("records", { autoIncrement: true })
    records.createIndex("part", ["conferenceId", "part"])
    records.createIndex("conferenceId", "conferenceId")
  })
  return {
    key: async (conferenceId) => {
      const former = await (await database.open()).get("conferences", conferenceId)
      if (former) return former.key
      const key = await createCopyKey(false)
      await (await database.open()).add("conferences", { conferenceId, key, bytes: 0, usedAtMs: Date.now() })
      return key
    },
    read: async (conferenceId, part) => {
      const rows = await (await database.open()).getAllFromIndex("records", "part", [conferenceId, part])
      return rows.map(({ record }) => record)
    },
    append: (conferenceId, part, record) =>
      database.transact(STORES, (transaction) => write(transaction, { conferenceId, part, record }, 0)),
    replace: (conferenceId, part, record) =>
      database.transact(STORES, async (transaction) => {
        const freed = await deleteRecords(transaction, "part", [conferenceId, part])
        await write(transaction, { conferenceId, part, record }, freed)
      }),
    forget: (conferenceId) => database.transact(STORES, (transaction) => forget(transaction, conferenceId)),
    list: async () => (await database.open()).getAllKeys("conferences"),
  }
}

async function write(transaction: Transaction, row: RecordRow, freed: number): Promise<void> {
  const conferences = transaction.objectStore("conferences")
  const conference = await conferences.get(row.conferenceId)
  if (!conference) throw copyDeleted()
  const bytes = conference.bytes - freed + row.record.length
  try {
    assertRoom(bytes)
  } catch (error) {
    transaction.abort()
    throw error
  }
  await transaction.objectStore("records").add(row)
  for (const gone of await account(conferences, { ...conference, bytes }, COPIES_BYTES_MAX)) {
    await forget(transaction, gone)
  }
}

async function forget(transaction: Transaction, conferenceId: string): Promise<void> {
  await transaction.objectStore("conferences").delete(conferenceId)
  await deleteRecords(transaction, "conferenceId", conferenceId)
}

/** Returns the number of deleted bytes. */
async function deleteRecords(
  transaction: Transaction,
  index: "part" | "conferenceId",
  key: [string, string] | string,
): Promise<number> {
  const records = await transaction.objectStore("records").index(index).openCursor(key)
  return deleteAll(records, ({ record }) => record.length)
}
