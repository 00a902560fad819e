import type { Kysely, Transaction } from "kysely"
import type { Schema } from "./schema.ts"

/** Runs a write as one transaction, together or not at all; resolves when that is on the disk. */
export type Writer = <T>(write: (transaction: Transaction<Schema>) => Promise<T>) => Promise<T>

/** Writes of one transaction; those behind have the next. */
const GROUP_MAX = 256

/** For a database that commits many at a time by itself. */
export function directWriter(database: Kysely<Schema>): Writer {
  return (write) => database.transaction().execute(write)
}

/**
 * For SQLite, which waits for the disk at each commit, and this process with it: all writes that come in meanwhile share the
 * next commit. Otherwise, whoever stores one conference after the other keeps everybody waiting.
 */
export function groupingWriter(database: Kysely<Schema>): Writer {
  let waiting: Waiting[] = []
  let busy = false

  const writeGroups = async () => {
    while (waiting.length > 0) {
      // After everything else that has arrived, so that the group is whole and no one waits for two.
      await new Promise((done) => setImmediate(done))
      const group = waiting.slice(0, GROUP_MAX)
      waiting = waiting.slice(GROUP_MAX)
      await commit(database, group)
    }
    busy = false
  }
  return (write) =>
    new Promise((resolve, reject) => {
      let settle = () => {}
      const run = async (transaction: Transaction<Schema>) => {
        const result = await write(transaction)
        settle = () => resolve(result)
      }
      waiting.push({ run, committed: () => settle(), failed: reject })
      if (busy) return
      busy = true
      void writeGroups()
    })
}

interface Waiting {
  run(transaction: Transaction<Schema>): Promise<void>
  committed(): void
  failed(error: unknown): void
}

/** What is refused is an outcome, so an error is the database's and hits the whole group. */
async function commit(database: Kysely<Schema>, group: readonly Waiting[]): Promise<void> {
  try {
    await database.transaction().execute(async (transaction) => {
      for (const { run } of group) await run(transaction)
    })
  } catch (error) {
    for (const { failed } of group) failed(error)
    return
  }
  for (const { committed } of group) committed()
}
