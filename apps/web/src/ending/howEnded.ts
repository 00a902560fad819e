import type { ConferenceHandle } from "@keymoot/core"
import { isEndedEarly } from "./timeOf.ts"

/** How a conference came to its end, as far as this page knows. The page does not know which host ended it. */
export type HowEnded = { readonly by: "host"; readonly atMs: number }

/** For a conference that has just closed as over. Null if its planned time is up. */
export function howEnded({ timeFrame }: Pick<ConferenceHandle, "timeFrame">): HowEnded | null {
  return isEndedEarly(timeFrame) ? { by: "host", atMs: Date.now() } : null
}
