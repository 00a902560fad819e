import type { MediaPurpose } from "@keymoot/core"
import { type Readable, store } from "../../store.ts"

export const SILENCED_DEVICES = ["microphone", "camera"] as const

/**
 * Own devices that are on and carry nothing, since the system, a key of the headset or the browser has muted them. A
 * screen that does not change can be muted too, and the others see it nevertheless.
 */
export function watchSilenced(
  own: Readable<ReadonlyMap<MediaPurpose, MediaStreamTrack>>,
): Readable<ReadonlySet<MediaPurpose>> {
  const silenced = store<ReadonlySet<MediaPurpose>>(new Set())
  const look = (): void => {
    const next = SILENCED_DEVICES.filter((device) => own.get().get(device)?.muted)
    if (next.join() !== [...silenced.get()].join()) silenced.set(new Set(next))
  }
  own.subscribe(() => {
    for (const track of own.get().values()) for (const event of ["mute", "unmute"]) track.addEventListener(event, look)
    look()
  })
  return silenced
}
