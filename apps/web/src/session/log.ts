import type { Member, SecurityEvent, ViewChange } from "@keymoot/core"
import { type Readable, store } from "../store.ts"
import type { Comings } from "./order.ts"

/** One line of the security log as data; components translate it. */
export type LogLine = { readonly id: number; readonly atMs: number } & (
  | ({ readonly kind: "view"; readonly epoch: number; readonly cause: ViewChange["cause"] } & Comings)
  | {
      readonly kind: "event"
      readonly code: SecurityEvent["code"]
      readonly member: Member | null
      readonly times: number
    }
  | { readonly kind: "merged"; readonly with: readonly Member[] }
  | { readonly kind: "transferred"; readonly what: "board"; readonly from: Member }
)
type NewLine = LogLine extends infer L ? (L extends LogLine ? Omit<L, "id" | "atMs"> : never) : never

/** Older lines are dropped. */
export const LOG_LINES_MAX = 300

/**
 * The log with one more line. A repeated event of the same member only increments the count of the last line, so a
 * flood stays one line.
 */
export function appendLine(log: readonly LogLine[], line: NewLine, atMs: number): readonly LogLine[] {
  const last = log.at(-1)
  if (
    last?.kind === "event" &&
    line.kind === "event" &&
    last.code === line.code &&
    last.member?.id === line.member?.id
  ) {
    return [...log.slice(0, -1), { ...last, atMs, times: last.times + line.times }]
  }
  const added = { ...line, id: (last?.id ?? 0) + 1, atMs } as LogLine
  return [...log, added].slice(-LOG_LINES_MAX)
}

export type SecurityLog = { readonly lines: Readable<readonly LogLine[]>; append(line: NewLine): void }

export function openLog(): SecurityLog {
  const lines = store<readonly LogLine[]>([])
  return { lines, append: (line) => lines.set(appendLine(lines.get(), line, Date.now())) }
}
