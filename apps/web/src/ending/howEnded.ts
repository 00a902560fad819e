import type { ConferenceHandle } from "@keymoot/core"
import { isEndedEarly } from "./timeOf.ts"

/**
 * How a conference came to its end, as far as this page knows. It does not know which host ended it. `nobody`: this
 * person entered after the end, and nobody said that the conference goes on.
 */
export type HowEnded = { readonly by: "host"; readonly atMs: number } | { readonly by: "nobody" }

/** For a conference that has just closed as over. Null if its planned time is up. */
export function howEnded({ timeFrame }: Pick<ConferenceHandle, "timeFrame">, late: boolean): HowEnded | null {
  if (late) return { by: "nobody" }
  return isEndedEarly(timeFrame) ? { by: "host", atMs: Date.now() } : null
}
