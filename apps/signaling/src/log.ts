import { destination, type Logger, pino } from "pino"

/**
 * Structured logs on standard error. They name no participant, conference or network address, and repeat no payload.
 * Errors are logged with their kind and place, since their text may quote values given to a database.
 */
export function openLog(level: string): Logger {
  const stream = destination(2)
  // The terminal was closed, or the disk is full. The server goes on, and must still shut down in order.
  stream.on("error", () => {})
  return pino({ level, base: null, serializers: { err: errorFields } }, stream)
}

function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, errstr } = error as { code?: unknown; errstr?: unknown }
  const at = (error.stack ?? "").split("\n").filter((line) => /^\s+at /u.test(line))
  return { type: error.name, code, errstr, at: at.map((line) => line.trim()) }
}
