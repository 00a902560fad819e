import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB } from "idb"
import { overBound } from "../local-copies/index.ts"
import { BlocksFullError, type BlockStore, CONFERENCE_FILES_BYTES_MAX, FILES_BYTES_MAX } from "./block-store.ts"

type ConferenceRow = { conferenceId: string; bytes: number; usedAtMs: number }

interface Schema extends DBSchema {
  conferences: { key: string; value: ConferenceRow }
  /** By conference, file and number. */
  blocks: { key: [string, string, number]; value: Uint8Array }
}
type Transaction = IDBPTransaction<Schema, ["conferences", "blocks"], "readwrite">

const SCHEMA_VERSION = 1

/** IndexedDB, in a database of its own. A row is a block of about 1 MB, so nothing of a file is in memory but that. */
export function createBrowserBlockStore(databaseName: string): BlockStore {
  let opened: Promise<IDBPDatabase<Schema>> | null = null

  function database(): Promise<IDBPDatabase<Schema>> {
    opened ??= openDB<Schema>(databaseName, SCHEMA_VERSION, {
      upgrade(db) {
        db.createObjectStore("conferences", { keyPath: "conferenceId" })
        db.createObjectStore("blocks")
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

  async function transact(action: (transaction: Transaction) => Promise<void>): Promise<void> {
    const transaction = (await database()).transaction(["conferences", "blocks"], "readwrite")
    try {
      await action(transaction)
      await transaction.done
    } catch (error) {
      // Whichever came first is the cause; the other follows from it.
      transaction.done.catch(() => undefined)
      throw error
    }
  }

  return {
    count: async (conference, file) => (await database()).count("blocks", rangeOf(conference, file)),
    read: async (conference, file, block) =>
      (await (await database()).get("blocks", [conference, file, block])) ?? null,
    append: (conference, file, block, sealed) =>
      transact((transaction) => append(transaction, [conference, file, block], sealed)),
    remove: (conference, file) =>
      transact(async (transaction) => {
        const row = await transaction.objectStore("conferences").get(conference)
        const bytes = await remove(transaction, rangeOf(conference, file))
        if (row) await transaction.objectStore("conferences").put({ ...row, bytes: row.bytes - bytes })
      }),
    forget: (conference) => transact((transaction) => forget(transaction, conference)),
  }
}

/** All blocks of a file. */
function rangeOf(conference: string, file: string): IDBKeyRange {
  return IDBKeyRange.bound([conference, file, 0], [conference, file, Number.MAX_SAFE_INTEGER])
}

async function append(transaction: Transaction, key: [string, string, number], sealed: Uint8Array): Promise<void> {
  const conferences = transaction.objectStore("conferences")
  const [conferenceId] = key
  const bytes = ((await conferences.get(conferenceId))?.bytes ?? 0) + sealed.length
  if (bytes > CONFERENCE_FILES_BYTES_MAX) {
    transaction.abort()
    throw new BlocksFullError(CONFERENCE_FILES_BYTES_MAX)
  }
  await conferences.put({ conferenceId, bytes, usedAtMs: Date.now() })
  await transaction.objectStore("blocks").add(sealed, key)
  for (const gone of overBound(await conferences.getAll(), conferenceId, FILES_BYTES_MAX))
    await forget(transaction, gone)
}

async function forget(transaction: Transaction, conference: string): Promise<void> {
  await transaction.objectStore("conferences").delete(conference)
  // An array is greater than any string.
  await transaction.objectStore("blocks").delete(IDBKeyRange.bound([conference], [conference, []]))
}

/** Returns how many bytes they had. */
async function remove(transaction: Transaction, range: IDBKeyRange): Promise<number> {
  let bytes = 0
  let cursor = await transaction.objectStore("blocks").openCursor(range)
  while (cursor) {
    bytes += cursor.value.length
    await cursor.delete()
    cursor = await cursor.continue()
  }
  return bytes
}
