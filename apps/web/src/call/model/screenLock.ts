import type { Readable } from "../../store.ts"

/**
 * Keeps the screen on during a call. A phone that locks itself stops its camera, and some stop the sound too. Browsers
 * end the lock when the page is hidden, and can refuse it, such as with a low battery.
 */
export function keepScreenOn(state: Readable<string>, signal: AbortSignal): void {
  let lock: Promise<WakeLockSentinel | null> | null = null
  const update = (): void => {
    const isWanted = state.get() === "in" && !document.hidden && !signal.aborted
    if (isWanted) lock ??= requestLock()
    else if (lock) {
      void lock.then((held) => held?.release())
      lock = null
    }
  }
  state.subscribe(update)
  document.addEventListener("visibilitychange", update, { signal })
  signal.addEventListener("abort", update, { once: true })
}

/** Older browsers have no locks. */
async function requestLock(): Promise<WakeLockSentinel | null> {
  const { wakeLock } = navigator as { readonly wakeLock?: WakeLock }
  return (await wakeLock?.request("screen").catch(() => null)) ?? null
}
