import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { StartError } from "../start-error.ts"

const SQLITE_BUSY = 5

/**
 * Takes a data directory for this process. Two on one SQLite file would each serve rooms that the other does not see. Node
 * has no file locks, SQLite does: an exclusive transaction that never ends, on a file of its own, so that backups can read
 * the real one. The lock is the kernel's and goes with the process, however that ends.
 * @returns gives the directory back
 * @throws StartError when another process has it
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
