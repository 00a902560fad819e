import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import type { SqliteDatabase, SqliteStatement } from "kysely"

/** How long a write waits for another process that has locked the file. */
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
    // WAL's default, NORMAL, syncs at checkpoints only, so a power failure could undo an acknowledged write.
    database.exec("PRAGMA synchronous = FULL")
  } catch (error) {
    database.close()
    throw error
  }
  return { prepare: (sql) => prepare(database, sql), close: () => database.close() }
}

/** A full disk ends the transaction by itself. A second rollback would fail and hide the first error. */
const NOTHING_TO_ROLL_BACK: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
}

function prepare(database: DatabaseSync, sql: string): SqliteStatement {
  if (sql === "rollback" && !database.isTransaction) return NOTHING_TO_ROLL_BACK
  const statement = database.prepare(sql)
  // Kysely passes strings, numbers, bytes and nulls, the only types in our tables.
  const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[]
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...values(parameters)),
    run: (parameters) => statement.run(...values(parameters)),
    iterate: (parameters) => statement.iterate(...values(parameters)),
  }
}
