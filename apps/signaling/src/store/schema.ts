import type { ColumnDataType, Kysely, RawBuilder } from "kysely"
import type { Migration } from "kysely/migration"

/** The tables as the queries see them, after all migrations. */
export interface Schema {
  conference: { id: string; descriptor: Uint8Array; expires_at_ms: number }
  /** One row for each member of a conference that was created with a roster. */
  roster: { conference_id: string; member: string; creator: string; starts_at_ms: number; ends_at_ms: number }
  participant: {
    fingerprint: string
    identity: string
    name: string
    /** What the name is found and sorted by. */
    name_key: string
    certificate: Uint8Array
    not_before_ms: number
    expires_at_ms: number
  }
}

/** In what the databases differ. */
export interface Flavour {
  readonly bytes: ColumnDataType
  /** Text that sorts by its UTF-8 bytes, wherever the database was made: pages and prefixes are ranges of it. */
  readonly bytewiseText: ColumnDataType | RawBuilder<unknown>
}

type Migrations = Readonly<Record<string, Migration>>

/**
 * Run in the order of their names, once per database. What is published is never edited: a change is a new one. None goes
 * back: who must return to an older version restores a backup.
 */
export function migrations(flavour: Flavour): Migrations {
  return {
    "0001-conference": { up: (database) => createConference(database, flavour) },
    "0002-directory": { up: (database) => createDirectory(database, flavour) },
  }
}

async function createConference(database: Kysely<unknown>, { bytes }: Flavour): Promise<void> {
  await database.schema
    .createTable("conference")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("descriptor", bytes, (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .execute()
  await database.schema.createIndex("conference_expiry").on("conference").column("expires_at_ms").execute()
}

async function createDirectory(database: Kysely<unknown>, { bytes, bytewiseText }: Flavour): Promise<void> {
  await database.schema
    .createTable("roster")
    .addColumn("conference_id", "text", (column) => column.notNull().references("conference.id").onDelete("cascade"))
    .addColumn("member", "text", (column) => column.notNull())
    .addColumn("creator", "text", (column) => column.notNull())
    .addColumn("starts_at_ms", "bigint", (column) => column.notNull())
    .addColumn("ends_at_ms", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("roster_key", ["conference_id", "member"])
    .execute()
  await database.schema
    .createIndex("roster_member")
    .on("roster")
    .columns(["member", "starts_at_ms", "conference_id"])
    .execute()
  await database.schema
    .createTable("participant")
    .addColumn("identity", "text", (column) => column.primaryKey())
    // Not declared unique, though it is: an identity's own certificate, added again, would violate two constraints at once.
    .addColumn("fingerprint", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("name_key", bytewiseText, (column) => column.notNull())
    .addColumn("certificate", bytes, (column) => column.notNull())
    .addColumn("not_before_ms", "bigint", (column) => column.notNull())
    .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
    .execute()
  await database.schema.createIndex("participant_fingerprint").on("participant").column("fingerprint").execute()
  await database.schema.createIndex("participant_name").on("participant").columns(["name_key", "fingerprint"]).execute()
  await database.schema.createIndex("participant_expiry").on("participant").column("expires_at_ms").execute()
}
