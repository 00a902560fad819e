import type { ColumnDataType, Kysely, RawBuilder } from "kysely"
import type { Migration } from "kysely/migration"

/** The tables as the queries see them, after all migrations. */
export interface Schema {
  conference: {
    id: string
    descriptor: Uint8Array
    expires_at_ms: number
    /** Null if the conference was created without one. */
    room_verifier: Uint8Array | null
    /** Null if the conference was created without one. */
    creator_key: Uint8Array | null
    /** `encodeAnnouncedEnd`; null if there is none. */
    announced_end: Uint8Array | null
    /** Time of the announcement by its creator's clock. */
    announced_at_ms: number | null
  }
  /** One row for each member of a conference with a roster. */
  roster: { conference_id: string; member: string; creator: string; starts_at_ms: number; ends_at_ms: number }
  participant: {
    fingerprint: string
    identity: string
    name: string
    /** The key for search and order of names. */
    name_key: string
    certificate: Uint8Array
    not_before_ms: number
    expires_at_ms: number
  }
}

/** The differences between the databases. */
export interface Flavour {
  readonly bytes: ColumnDataType
  /** Text that sorts by its UTF-8 bytes, independent of the database's locale: pages and prefixes are ranges of it. */
  readonly bytewiseText: ColumnDataType | RawBuilder<unknown>
}

type Migrations = Readonly<Record<string, Migration>>

/**
 * Run in the order of their names, once per database. A published migration is never edited; a change is a new one.
 * There are no downgrades: an operator restores a backup instead.
 */
export function migrations(flavour: Flavour): Migrations {
  return {
    "0001-conference": { up: (database) => createConference(database, flavour) },
    "0002-directory": { up: (database) => createDirectory(database, flavour) },
    "0003-room-verifier": { up: (database) => addRoomVerifier(database, flavour) },
    "0004-announced-end": { up: (database) => addAnnouncedEnd(database, flavour) },
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
    // Not declared unique, although it is: adding an identity's own certificate again would violate two constraints at
    // once.
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

async function addRoomVerifier(database: Kysely<unknown>, { bytes }: Flavour): Promise<void> {
  await database.schema.alterTable("conference").addColumn("room_verifier", bytes).execute()
}

async function addAnnouncedEnd(database: Kysely<unknown>, { bytes }: Flavour): Promise<void> {
  // SQLite adds one column a statement.
  for (const [name, type] of [
    ["creator_key", bytes],
    ["announced_end", bytes],
    ["announced_at_ms", "bigint"],
  ] as const) {
    await database.schema.alterTable("conference").addColumn(name, type).execute()
  }
}
