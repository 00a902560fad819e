import type { ConferenceHandle } from "@keymoot/core"

const HOUR_MS = 3_600_000
/** It opens in the past, for people whose clocks are behind. `Conference.create` does the same. */
const CLOCKS_BEHIND_MS = HOUR_MS
const DURATION_MS_MIN = CLOCKS_BEHIND_MS + HOUR_MS
const DURATION_MS_MAX = 30 * 24 * HOUR_MS

type Former = Pick<
  ConferenceHandle,
  "title" | "timeFrame" | "keyAgreement" | "cipher" | "postQuantum" | "authenticity" | "admission" | "history"
>

/**
 * Options of the conference that continues this one, with an end of its own. A guest list or an authority is not taken
 * over, because it names people by data that members do not keep. Then the creator lets people in.
 */
export function successorOf(
  { title, timeFrame, keyAgreement, cipher, postQuantum, authenticity, admission, history }: Former,
  nowMs: number,
) {
  const lasted = timeFrame.endsAtMs - timeFrame.opensAtMs
  return {
    title,
    history,
    authenticity,
    cipher,
    postQuantum,
    // It needs a guest list.
    keyAgreement: keyAgreement === "majority" ? ("tgdh" as const) : keyAgreement,
    admission: { policy: admission.policy === "link" ? ("link" as const) : ("approval" as const) },
    opensAtMs: nowMs - CLOCKS_BEHIND_MS,
    durationMs: Math.min(Math.max(lasted, DURATION_MS_MIN), DURATION_MS_MAX),
  }
}
