import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb"

import { assertRoom, type CopyStore, createCopyKey, overBound } from "./copy-store.ts"

type ConferenceRow = { conferenceId: string; key: CryptoKey; bytes: number; usedAtMs: number }
type RecordRow = { conferenceId: string; part: string; record: Uint8Array }

interface Schema extends DBSchema {
  conferences: { key: string; value: ConferenceRow }
  records: { key: number; value: RecordRow; indexes: { part: [string, string]; conferenceId: string } }
}
type Transaction = IDBPTransaction<Schema, ["conferences", "records"], "readwrite">

const SCHEMA_VERSION = 1

/** IndexedDB, in a database of its own: forgetting a copy cannot touch the identity. */
export function createBrowserCopyStore(databaseName: string): CopyStore {
  let opened: Promise<IDBPDatabase<Schema>> | null = null

  function database(): Promise<IDBPDatabase<Schema>> {
    opened ??= openDB<Schema>(databaseName, SCHEMA_VERSION, {
      upgrade(db) {
        db.createObjectStore("conferences", { keyPath: "conferenceId" })
        const records = db.createObjectStore("records", { autoIncrement: true })
        records.createIndex("part", ["conferenceId", "part"])
        records.createIndex("conferenceId", "conferenceId")
      },
      blocking: () => void opened?.then((db) => db.close()).finally(() => (opened = null)),
      terminated: () => {
        opened = null
      },
    }).catch((error: unknown) => {
      // Not kept: the next call may find the storage usable.
      opened = null
      throw error
    })
    return opened
  }

  async function transact<T>(action: (transaction: Transaction) => Promise<T>): Promise<T> {
    const transaction = (await database()).transaction(["conferences", "records"], "readwrite")
    try {
      const result = await action(transaction)
      await transaction.done
      return result
    } catch (error) {
      // Whichever came first is the cause; the other follows from it.
      transaction.done.catch(() => undefined)
      throw error
    }
  }

  return {
    key: async (conferenceId) => {
      const former = await (await database()).get("conferences", conferenceId)
      if (former) return former.key
      const key = await createCopyKey(false)
      await (await database()).add("conferences", { conferenceId, key, bytes: 0, usedAtMs: Date.now() })
      return key
    },
    read: async (conferenceId, part) => {
      const rows = await (await database()).getAllFromIndex("records", "part", [conferenceId, part])
      return rows.map(({ record }) => record)
    },
    append: (conferenceId, part, record) =>
      transact((transaction) => write(transaction, { conferenceId, part, record }, 0)),
    replace: (conferenceId, part, record) =>
      transact(async (transaction) => {
        const freed = await deleteRecords(transaction, "part", [conferenceId, part])
        await write(transaction, { conferenceId, part, record }, freed)
      }),
    forget: (conferenceId) => transact((transaction) => forget(transaction, conferenceId)),
  }
}

async function write(transaction: Transaction, row: RecordRow, freed: number): Promise<void> {
  const conferences = transaction.objectStore("conferences")
  const conference = await conferences.get(row.conferenceId)
  // Forgotten meanwhile: nothing could open what is written now.
  if (!conference) return
  const bytes = conference.bytes - freed + row.record.length
  try {
    assertRoom(bytes)
  } catch (error) {
    transaction.abort()
    throw error
  }
  await conferences.put({ ...conference, bytes, usedAtMs: Date.now() })
  await transaction.objectStore("records").add(row)
  for (const gone of overBound(await conferences.getAll(), row.conferenceId)) await forget(transaction, gone)
}

async function forget(transaction: Transaction, conferenceId: string): Promise<void> {
  await transaction.objectStore("conferences").delete(conferenceId)
  await deleteRecords(transaction, "conferenceId", conferenceId)
}

/** Returns how many bytes they had. */
async function deleteRecords(
  transaction: Transaction,
  index: "part" | "conferenceId",
  key: [string, string] | string,
): Promise<number> {
  let bytes = 0
  let cursor = await transaction.objectStore("records").index(index).openCursor(key)
  while (cursor) {
    bytes += cursor.value.record.length
    await cursor.delete()
    cursor = await cursor.continue()
  }
  return bytes
}
