import type { ClosedReason, ErrorCode } from "@keymoot/core"
import { KeymootError } from "@keymoot/core"

/** What stands in somebody's way; every one of them has words. */
export type Problem = ErrorCode | Exclude<ClosedReason, "left">

export function problemOf(error: unknown): Problem {
  return error instanceof KeymootError ? error.code : "internal"
}
