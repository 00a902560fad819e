import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import type { SqliteDatabase, SqliteStatement } from "kysely"

/** How long a write waits for another process that has the same file open. */
const BUSY_TIMEOUT_MS = 5_000

/**
 * Opens a database of `node:sqlite` with the interface that Kysely's SQLite dialect expects (better-sqlite3's).
 * @param file a path, or `:memory:`
 * @throws when the file cannot be opened or is not a database
 */
export function openNodeSqlite(file: string): SqliteDatabase {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
  try {
    database.exec("PRAGMA journal_mode = WAL")
    // WAL's usual NORMAL syncs at checkpoints only, so a power cut could undo a write that was acknowledged.
    database.exec("PRAGMA synchronous = FULL")
  } catch (error) {
    database.close()
    throw error
  }
  return { prepare: (sql) => prepare(database, sql), close: () => database.close() }
}

function prepare(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql)
  // Kysely passes strings, numbers, bytes and nulls: what this application's tables hold.
  const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}
