import { NAME_CODE_POINTS_MAX } from "@keymoot/core"

/**
 * The part of a longer name that a field accepts. The `maxLength` of an input counts other units, and would cut some
 * scripts too early.
 */
export function cutName(typed: string): string {
  return [...typed].slice(0, NAME_CODE_POINTS_MAX).join("")
}
