import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Dialect, Kysely, SqliteDialect } from "kysely"
import { Migrator } from "kysely/migration"
import { openNodeSqlite } from "./node-sqlite.ts"
import { migrations, type Schema } from "./schema.ts"
import type { Store, StoredConference } from "./store.ts"

/**
 * The store in an embedded SQLite file `keymoot.db`.
 * @param dataDir the directory of the file, made if missing; undefined keeps everything in memory
 * @param conferencesMax rows kept at most
 * @throws when the file cannot be opened or migrated
 */
export async function openSqliteStore(dataDir: string | undefined, conferencesMax: number): Promise<Store> {
  if (dataDir !== undefined) mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const database = openNodeSqlite(dataDir === undefined ? ":memory:" : join(dataDir, "keymoot.db"))
  return openStore(new SqliteDialect({ database }), conferencesMax)
}

async function openStore(dialect: Dialect, conferencesMax: number): Promise<Store> {
  const database = new Kysely<Schema>({ dialect })
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) {
    await database.destroy()
    throw error
  }
  return {
    createConference: (conference) => createConference(database, conference, conferencesMax),
    findDescriptor: (id, nowMs) => findDescriptor(database, id, nowMs),
    hasConference: (id, nowMs) => hasConference(database, id, nowMs),
    purgeExpired: (nowMs) => purgeExpired(database, nowMs),
    close: () => database.destroy(),
  }
}

async function createConference(database: Kysely<Schema>, conference: StoredConference, conferencesMax: number) {
  // Two creators may both see the last free row: the bound protects the disk and need not be exact.
  const { count } = await database
    .selectFrom("conference")
    .select((column) => column.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow()
  if (count >= conferencesMax) return "full"
  const result = await database
    .insertInto("conference")
    .values({ id: conference.id, descriptor: conference.descriptor, expires_at_ms: conference.expiresAtMs })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .executeTakeFirst()
  return result.numInsertedOrUpdatedRows === 1n ? "created" : "exists"
}

async function findDescriptor(database: Kysely<Schema>, id: string, nowMs: number) {
  const row = await database
    .selectFrom("conference")
    .select("descriptor")
    .where("id", "=", id)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst()
  return row?.descriptor
}

async function hasConference(database: Kysely<Schema>, id: string, nowMs: number) {
  const row = await database
    .selectFrom("conference")
    .select("id")
    .where("id", "=", id)
    .where("expires_at_ms", ">", nowMs)
    .executeTakeFirst()
  return row !== undefined
}

async function purgeExpired(database: Kysely<Schema>, nowMs: number) {
  const result = await database.deleteFrom("conference").where("expires_at_ms", "<=", nowMs).executeTakeFirst()
  return Number(result.numDeletedRows)
}
