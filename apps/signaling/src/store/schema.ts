import type { Kysely } from "kysely"
import type { Migration } from "kysely/migration"

/** The tables as the queries see them, after all migrations. */
export interface Schema {
  conference: { id: string; descriptor: Uint8Array; expires_at_ms: number }
}

/** Run in the order of their names, once per database. What is published is never edited: a change is a new one. */
export const migrations: Record<string, Migration> = {
  "0001-conference": {
    async up(database: Kysely<unknown>): Promise<void> {
      await database.schema
        .createTable("conference")
        .addColumn("id", "text", (column) => column.primaryKey())
        .addColumn("descriptor", "blob", (column) => column.notNull())
        .addColumn("expires_at_ms", "bigint", (column) => column.notNull())
        .execute()
      await database.schema.createIndex("conference_expiry").on("conference").column("expires_at_ms").execute()
    },
  },
}
