import { useEffect } from "react"

/** Interval between two requests to a server that was unreachable. */
export const LOOK_FOR_SERVER_MS = 10_000
/** Longest interval while the server answers, but the page cannot enter. */
const LOOK_FOR_SERVER_MS_MAX = 120_000

/** Doubles with each return that was of no use. A screen lasts only until the next try. */
let intervalMs = LOOK_FOR_SERVER_MS

/**
 * Calls back once, as soon as the server answers while the page is visible. It asks when the device is online again,
 * when the page is shown again, and at intervals.
 * @param onBack null: nothing is asked
 */
export function useServerBack(onBack: (() => void) | null): void {
  useEffect(() => {
    if (onBack === null) return undefined
    const listening = new AbortController()
    let asking = new AbortController()
    async function look(): Promise<void> {
      // One request at a time: a former one may hang.
      asking.abort()
      if (document.visibilityState !== "visible") return
      asking = new AbortController()
      const { signal } = asking
      const isThere = await isServerThere(signal)
      if (signal.aborted) return
      intervalMs = isThere ? Math.min(2 * intervalMs, LOOK_FOR_SERVER_MS_MAX) : LOOK_FOR_SERVER_MS
      if (!isThere) return
      stop()
      onBack?.()
    }
    let timer: ReturnType<typeof setTimeout>
    function lookLater(): void {
      timer = setTimeout(() => {
        void look()
        lookLater()
      }, intervalMs)
    }
    lookLater()
    function stop(): void {
      asking.abort()
      listening.abort()
      clearTimeout(timer)
    }
    window.addEventListener("online", look, { signal: listening.signal })
    document.addEventListener("visibilitychange", look, { signal: listening.signal })
    return stop
  }, [onBack])
}

/** The service worker answers no HEAD request from its cache. A proxy reports by 5xx that the server is down. */
async function isServerThere(signal: AbortSignal): Promise<boolean> {
  try {
    return (await fetch(location.pathname, { method: "HEAD", cache: "no-store", signal })).status < 500
  } catch {
    return false
  }
}
