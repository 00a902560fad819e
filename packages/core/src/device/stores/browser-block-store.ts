import type { DBSchema, IDBPTransaction } from "idb"
import { account, BrowserDatabase, deleteAll } from "./browser-database.ts"
import type { CopySize } from "./copy-store.ts"
import { BlocksFullError, type BlockStore, CONFERENCE_FILES_BYTES_MAX, FILES_BYTES_MAX } from "./block-store.ts"

interface Schema extends DBSchema {
  conferences: { key: string; value: CopySize }
  /** By conference, file and number. */
  blocks: { key: [string, string, number]; value: Uint8Array }
}
const STORES: ["conferences", "blocks"] = ["conferences", "blocks"]
type Transaction = IDBPTransaction<Schema, typeof STORES, "readwrite">

const SCHEMA_VERSION = 1

/** Block store in an IndexedDB of its own. A row is a block of about 1 MB, so memory holds no more of a file. */
export function createBrowserBlockStore(databaseName: string): BlockStore {
  const database = new BrowserDatabase<Schema>(databaseName, SCHEMA_VERSION, (db) => {
    db.createObjectStore("conferences", { keyPath: "conferenceId" })
    db.createObjectStore("blocks")
  })
  return {
    count: async (conference, file) => (await database.open()).count("blocks", rangeOf(conference, file)),
    read: async (conference, file, block) =>
      (await (await database.open()).get("blocks", [conference, file, block])) ?? null,
    append: (conference, file, block, sealed) =>
      database.transact(STORES, (transaction) => append(transaction, [conference, file, block], sealed)),
    remove: (conference, file) =>
      database.transact(STORES, async (transaction) => {
        const row = await transaction.objectStore("conferences").get(conference)
        const blocks = await transaction.objectStore("blocks").openCursor(rangeOf(conference, file))
        const bytes = await deleteAll(blocks, ({ length }) => length)
        if (row) await transaction.objectStore("conferences").put({ ...row, bytes: row.bytes - bytes })
      }),
    forget: (conference) => database.transact(STORES, (transaction) => forget(transaction, conference)),
    list: async () => (await database.open()).getAllKeys("conferences"),
    room: async (conference) => {
      const row = await (await database.open()).get("conferences", conference)
      return Math.min(CONFERENCE_FILES_BYTES_MAX - (row?.bytes ?? 0), await quotaLeft())
    },
  }
}

/** Bytes that the browser still grants this site, by its own estimate. */
async function quotaLeft(): Promise<number> {
  const { quota, usage = 0 } = (await navigator.storage?.estimate()) ?? {}
  return quota === undefined ? Infinity : Math.max(0, quota - usage)
}

/** Range of all blocks of a file. */
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
  await transaction.objectStore("blocks").add(sealed, key)
  for (const gone of await account(conferences, { conferenceId, bytes }, FILES_BYTES_MAX))
    await forget(transaction, gone)
}

async function forget(transaction: Transaction, conference: string): Promise<void> {
  await transaction.objectStore("conferences").delete(conference)
  // An array sorts after any string.
  await transaction.objectStore("blocks").delete(IDBKeyRange.bound([conference], [conference, []]))
}
