import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"

type Row = Readonly<Record<string, unknown>>

/** Data in the volume of a server that has stopped. Conferences are without columns that only later versions have. */
export function storedIn(folder: string): {
  readonly migrations: readonly string[]
  readonly conferences: readonly Row[]
  readonly participants: readonly Row[]
} {
  const database = new DatabaseSync(join(folder, "keymoot.db"), { readOnly: true })
  try {
    const rows = (query: string): Row[] => database.prepare(query).all()
    return {
      migrations: rows("select name from kysely_migration order by name").map(({ name }) => String(name)),
      conferences: rows("select id, descriptor, expires_at_ms, room_verifier from conference order by id"),
      participants: rows("select * from participant order by fingerprint"),
    }
  } finally {
    database.close()
  }
}
