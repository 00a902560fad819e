import { useEffect } from "react"

/** Interval between two requests to a server that was unreachable. */
export const LOOK_FOR_SERVER_MS = 10_000

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
      if (!(await isServerThere(signal)) || signal.aborted) return
      stop()
      onBack?.()
    }
    const timer = setInterval(look, LOOK_FOR_SERVER_MS)
    function stop(): void {
      asking.abort()
      listening.abort()
      clearInterval(timer)
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
