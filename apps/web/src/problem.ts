import { type ClosedReason, type ErrorCode, KeymootError } from "@keymoot/core"

/** A problem that stops a person; each has a text. `not-deleted`: this device's copy, after the person has left. */
export type Problem = ErrorCode | Exclude<ClosedReason, "left"> | "not-deleted"

export function problemOf(error: unknown): Problem {
  return error instanceof KeymootError ? error.code : "internal"
}

/** Problems with a title of their own, in `problem.titles`. */
const TITLED = [
  "invalid-link",
  "unknown-conference",
  "descriptor-mismatch",
  "missing-module",
  "not-admitted",
  "no-invitation",
  "conference-over",
  "removed",
  "refused",
] as const

/** The key of a problem's title, among the texts. */
export function titleOf(problem: Problem): "problem.title" | `problem.titles.${(typeof TITLED)[number]}` {
  const titled = TITLED.find((each) => each === problem)
  return titled === undefined ? "problem.title" : `problem.titles.${titled}`
}

const FINAL: ReadonlySet<Problem> = new Set<Problem>([
  "invalid-link",
  "no-invitation",
  "unknown-conference",
  "descriptor-mismatch",
  "missing-module",
  "conference-over",
  "not-admitted",
])

/** Whether no further attempt with the same link can succeed. */
export function isFinal(problem: Problem): boolean {
  return FINAL.has(problem)
}

/** Whether the same attempt can succeed later. */
export function mayPass(problem: Problem): boolean {
  return ["server-unreachable", "server-refused", "already-open", "internal", "storage-unavailable"].includes(problem)
}
