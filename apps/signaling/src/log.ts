import { destination, type Logger, pino } from "pino"

/**
 * Structured logs on standard error. They name no participant, conference or network address, and repeat nothing that was
 * sent: of an error they keep its kind and where it happened, since its text may quote what a database was given.
 */
export function openLog(level: string): Logger {
  return pino({ level, base: null, serializers: { err: errorFields } }, destination(2))
}

function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code, errstr } = error as { code?: unknown; errstr?: unknown }
  const at = (error.stack ?? "").split("\n").filter((line) => /^\s+at /u.test(line))
  return { type: error.name, code, errstr, at: at.map((line) => line.trim()) }
}
