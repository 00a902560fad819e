import type { Kysely, Transaction } from "kysely"
import type { Schema } from "./schema.ts"

/** Runs a write as one transaction. Resolves when it is on the disk. */
export type Writer = <T>(write: (transaction: Transaction<Schema>) => Promise<T>) => Promise<T>

/** Writes of one transaction. Further ones wait for the next. */
const GROUP_MAX = 256

/** For a database that groups commits by itself. */
export function directWriter(database: Kysely<Schema>): Writer {
  return (write) => database.transaction().execute(write)
}

/**
 * For SQLite, which blocks this process at each commit until the disk has synced. All writes that arrive meanwhile
 * share the next commit. Otherwise a client that stores many conferences would delay all others.
 */
export function groupingWriter(database: Kysely<Schema>): Writer {
  let waiting: Waiting[] = []
  let busy = false

  const writeGroups = async () => {
    while (waiting.length > 0) {
      // Runs after all other events that have arrived, so that the group is complete and no write waits for two
      // commits.
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

/** A refused write is an outcome, so an error comes from the database and applies to the whole group. */
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
