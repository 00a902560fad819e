import { NAME_CODE_POINTS_MAX } from "@keymoot/core"

/** What a field takes of a longer name. The `maxLength` of an input counts other units, and would stop some scripts half-way. */
export function cutName(typed: string): string {
  return [...typed].slice(0, NAME_CODE_POINTS_MAX).join("")
}
