import type { Kysely } from "kysely"
import { Migrator } from "kysely/migration"
import { StartError } from "../start-error.ts"
import { type Flavour, migrations, type Schema } from "./schema.ts"

const MIGRATIONS_DONE = "kysely_migration"

/**
 * Migrates a database to this version's tables. If several processes start at once on one PostgreSQL, one migrates and
 * the others wait.
 * @throws StartError when a newer version has migrated it, whose data this version would not understand
 */
export async function migrate(database: Kysely<Schema>, flavour: Flavour): Promise<void> {
  const known = migrations(flavour)
  const unknown = (await migrationsDone(database)).find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined) {
    throw new StartError(
      `The database was made by a newer version of Keymoot (it has "${unknown}"): run that version or a newer one, or ` +
        "restore a backup from before the update.",
    )
  }
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => known } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}

async function migrationsDone(database: Kysely<Schema>): Promise<string[]> {
  const tables = await database.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === MIGRATIONS_DONE)) return []
  const rows = await database
    .withTables<{ [MIGRATIONS_DONE]: { name: string } }>()
    .selectFrom(MIGRATIONS_DONE)
    .select("name")
    .execute()
  return rows.map(({ name }) => name)
}
