import type { Readable } from "../store.ts"

/** A timer for midnight would be late on a device that slept. */
const LOOK_AGAIN_MS = 30_000

const listeners = new Set<() => void>()
let looking: ReturnType<typeof setInterval> | undefined

/** The current day of this device, as `Date.toDateString` has it. All listeners share one timer. */
export const today: Readable<string> = {
  get: () => new Date().toDateString(),
  subscribe(listener) {
    if (listeners.size === 0) looking = watchDay()
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) clearInterval(looking)
    }
  },
}

function watchDay(): typeof looking {
  let day = today.get()
  return setInterval(() => {
    if (today.get() === day) return
    day = today.get()
    for (const listener of listeners) listener()
  }, LOOK_AGAIN_MS)
}
