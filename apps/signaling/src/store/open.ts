import type { Logger } from "pino"
import { StartError } from "../start-error.ts"
import { openPostgresStore, openSqliteStore } from "./sql-store.ts"
import type { Store, StoreBounds } from "./store.ts"

interface Where {
  readonly dataDir?: string
  readonly databaseUrl?: string
}

/**
 * The store that the configuration names: PostgreSQL, an SQLite file, or memory.
 * @throws StartError when it cannot be opened
 */
export async function openStore({ dataDir, databaseUrl }: Where, bounds: StoreBounds, log: Logger): Promise<Store> {
  try {
    if (databaseUrl === undefined) return await openSqliteStore(dataDir, bounds)
    return await openPostgresStore(databaseUrl, bounds, (error) =>
      log.warn({ err: error }, "an idle connection to the database was lost"),
    )
  } catch (error) {
    if (error instanceof StartError) throw error
    const where = databaseUrl === undefined ? `in ${dataDir ?? "memory"}` : "named by DATABASE_URL"
    throw new StartError(`The database ${where} cannot be opened: ${reasonOf(error)}`, { cause: error })
  }
}

/**
 * Never contains the URL, which holds a password. A host with several addresses fails with one error for each, without
 * a text.
 */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join("; ")
  return error instanceof Error ? error.message : String(error)
}
