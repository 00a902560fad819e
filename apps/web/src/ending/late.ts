import type { ConferenceHandle } from "@keymoot/core"
import { type Store, store } from "../store.ts"

/** Whether this person has entered after the end, and nobody has said yet that the conference goes on. */
export function openLate(handle: Pick<ConferenceHandle, "on">, signal: AbortSignal): Store<boolean> {
  const late = store(false)
  handle.on("admission", ({ endsAtMs }) => endsAtMs > Date.now() && late.set(false), { signal })
  return late
}
