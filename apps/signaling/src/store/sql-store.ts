import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Dialect, Kysely, PostgresDialect, sql, SqliteDialect } from "kysely"
import { Rows } from "./bounds.ts"
import { createConference, findConference, findKey, listConferences, setEnd } from "./conferences.ts"
import { lockDirectory } from "./directory-lock.ts"
import { migrate } from "./migrate.ts"
import { openNodeSqlite } from "./node-sqlite.ts"
import { addParticipant, findCertificate, listParticipants, removeParticipant } from "./participants.ts"
import { openPostgresPool } from "./postgres-pool.ts"
import type { Flavour, Schema } from "./schema.ts"
import type { Store, StoreBounds } from "./store.ts"
import { WriteHealth } from "./write-health.ts"
import { directWriter, groupingWriter, type Writer } from "./writer.ts"

interface Kind {
  readonly flavour: Flavour
  writerOf(database: Kysely<Schema>): Writer
}
const SQLITE: Kind = { flavour: { bytes: "blob", bytewiseText: "text" }, writerOf: groupingWriter }
const POSTGRES: Kind = { flavour: { bytes: "bytea", bytewiseText: sql`text collate "C"` }, writerOf: directWriter }

/**
 * The store in an embedded SQLite file `keymoot.db`.
 * @param dataDir the directory of the file, created if missing; undefined keeps everything in memory.
 * @throws StartError when another process uses the directory, or a newer version wrote the database.
 * @throws an error of SQLite when the file cannot be opened
 */
export async function openSqliteStore(dataDir: string | undefined, bounds: StoreBounds): Promise<Store> {
  if (dataDir === undefined) return openStore(sqliteDialect(":memory:"), SQLITE, bounds, () => {})
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const unlock = lockDirectory(dataDir)
  try {
    return await openStore(sqliteDialect(join(dataDir, "keymoot.db")), SQLITE, bounds, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * The store in a PostgreSQL database, which several processes may share.
 * @param url `postgres://…`
 * @param onIdleError receives the loss of idle connections; the next query opens another one.
 * @throws StartError when a newer version wrote the database.
 * @throws an error of `pg` when the database cannot be reached
 */
export async function openPostgresStore(
  url: string,
  bounds: StoreBounds,
  onIdleError: (error: Error) => void,
): Promise<Store> {
  const pool = await openPostgresPool(url, onIdleError)
  return openStore(new PostgresDialect({ pool }), POSTGRES, bounds, () => {})
}

function sqliteDialect(file: string): Dialect {
  return new SqliteDialect({ database: openNodeSqlite(file) })
}

async function openStore(dialect: Dialect, kind: Kind, bounds: StoreBounds, onClose: () => void): Promise<Store> {
  const database = new Kysely<Schema>({ dialect })
  try {
    await migrate(database, kind.flavour)
  } catch (error) {
    await database.destroy()
    throw error
  }
  const writer = kind.writerOf(database)
  const health = new WriteHealth()
  const write: Writer = (change) => health.watch(writer(change))
  const conferences = new Rows("conference", bounds.conferencesMax)
  const participants = new Rows("participant", bounds.participantsMax)
  return {
    createConference: (conference) => write((query) => createConference(query, conference, conferences)),
    findConference: (id, nowMs) => findConference(database, id, nowMs),
    findVerifier: (id, nowMs) => findKey(database, "room_verifier", id, nowMs),
    findCreatorKey: (id, nowMs) => findKey(database, "creator_key", id, nowMs),
    setEnd: (id, end, saidAtMs) => write((query) => setEnd(query, id, end, saidAtMs)),
    listConferences: (member, nowMs, after) => listConferences(database, member, nowMs, after),
    addParticipant: (participant, nowMs) => write((query) => addParticipant(query, participant, nowMs, participants)),
    removeParticipant: (identity) => write((query) => removeParticipant(query, identity, participants)),
    findCertificate: (fingerprint, nowMs) => findCertificate(database, fingerprint, nowMs),
    listParticipants: (prefix, nowMs, after) => listParticipants(database, prefix, nowMs, after),
    purgeExpired: async (nowMs, graceMs) => {
      let count = 0
      for (const rows of [conferences, participants]) {
        count += await deleteExpired(database, rows, nowMs - graceMs)
        if (await rows.isFull(database)) count += await deleteExpired(database, rows, nowMs)
      }
      return count
    },
    ping: async () => {
      await sql`select 1`.execute(database)
      health.assertWritable()
    },
    close: async () => {
      await database.destroy()
      onClose()
    },
  }
}

async function deleteExpired(database: Kysely<Schema>, rows: Rows, byMs: number): Promise<number> {
  const result = await database.deleteFrom(rows.table).where("expires_at_ms", "<=", byMs).executeTakeFirst()
  await rows.recount(database)
  return Number(result.numDeletedRows)
}
