import { findService, howToInstall, type Postgres, startPostgres } from "@keymoot/tools"
import { afterAll, beforeAll } from "vitest"
import type { ServerConfig } from "../src/config.ts"
import { openPostgresStore, openSqliteStore } from "../src/store/sql-store.ts"
import type { Store, StoreBounds } from "../src/store/store.ts"
import { freshDirectory } from "./files.ts"

export const BOUNDS: StoreBounds = { conferencesMax: 1_000, participantsMax: 1_000 }

/** An empty database that can be opened again, with the server configuration that uses it. */
export interface Database {
  readonly config: ServerConfig
  open(bounds?: Partial<StoreBounds>): Promise<Store>
}

export interface DatabaseKind {
  readonly name: string
  fresh(): Database
}

export const sqlite: DatabaseKind = {
  name: "SQLite",
  fresh: () => {
    const dataDir = freshDirectory()
    return { config: { dataDir }, open: (bounds) => openSqliteStore(dataDir, { ...BOUNDS, ...bounds }) }
  },
}

/** Each of the databases that there are here. Says which there is none of. */
export function databases(): DatabaseKind[] {
  if (findService("postgres") === null) {
    console.warn(`The tests on PostgreSQL are skipped: ${howToInstall("postgres")}.`)
    return [sqlite]
  }
  return [sqlite, postgresKind()]
}

/** One PostgreSQL for all tests of a file. */
function postgresKind(): DatabaseKind {
  let running: Postgres | undefined
  beforeAll(async () => {
    running = await startPostgres()
  })
  afterAll(() => running?.stop())
  return {
    name: "PostgreSQL",
    fresh: () => {
      if (running === undefined) throw new Error("PostgreSQL has not started.")
      const databaseUrl = running.freshDatabase()
      const ignore = () => {}
      return {
        config: { databaseUrl },
        open: (bounds) => openPostgresStore(databaseUrl, { ...BOUNDS, ...bounds }, ignore),
      }
    },
  }
}
