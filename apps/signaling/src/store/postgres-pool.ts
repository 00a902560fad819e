import type { Pool } from "pg"

/** Connections of this process. */
const CONNECTIONS_MAX = 10
const CONNECT_TIMEOUT_MS = 5_000
/** Enforced by the database and, in case it has become unreachable, here. */
const STATEMENT_TIMEOUT_MS = 10_000
const ANSWER_TIMEOUT_MS = 15_000

/** Loads the driver lazily. The first query opens the first connection. */
export async function openPostgresPool(url: string, onIdleError: (error: Error) => void): Promise<Pool> {
  const { default: pg } = await import("pg")
  const bigint = pg.types.builtins.INT8
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
    application_name: "keymoot",
    types: {
      // Milliseconds and counts: far below the integers that a number represents exactly.
      getTypeParser: (oid: number, format?: "text" | "binary") =>
        oid === bigint ? Number : (pg.types.getTypeParser(oid, format as "text") as (text: string) => unknown),
    } as typeof pg.types,
  })
  // Without a listener, the loss of an idle connection would end the process.
  pool.on("error", onIdleError)
  return pool
}
