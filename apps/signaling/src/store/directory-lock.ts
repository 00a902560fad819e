import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { StartError } from "../start-error.ts"

const SQLITE_BUSY = 5

/**
 * Locks a data directory for this process. Two processes on one SQLite file would each serve rooms that the other does
 * not see. Node has no file locks, but SQLite does. The lock is an exclusive transaction that never ends, on a separate
 * file, so that backups can read the database. The kernel holds the lock and releases it when the process ends in any
 * way.
 * @returns releases the directory
 * @throws StartError when another process holds it
 */
export function lockDirectory(dataDir: string): () => void {
  const lock = new DatabaseSync(join(dataDir, "keymoot.lock"), { timeout: 0 })
  try {
    lock.exec("BEGIN EXCLUSIVE")
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error
    throw new StartError(
      `Another Keymoot server uses the data in ${dataDir}: stop it, or give this one another DATA_DIR, or let several ` +
        "share a PostgreSQL by DATABASE_URL.",
    )
  }
  return () => lock.close()
}
