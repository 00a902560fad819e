import type { Page } from "@playwright/test"

type Watching = { watched: { readonly connections: RTCPeerConnection[] }; longestGap: () => number }

/**
 * Begins to look for gaps in the sound that this page plays: times in which no decoder gave samples that have come over
 * the network. Browsers renew these counters every 50 ms or so.
 */
export function watchGaps(page: Page): Promise<void> {
  return page.evaluate(() => {
    const self = globalThis as unknown as Watching
    const received = new Map<RTCPeerConnection, number>()
    let soundAtMs = performance.now()
    let longestMs = 0
    const look = async (): Promise<void> => {
      for (const connection of self.watched.connections) {
        if (connection.connectionState === "closed") continue
        let samples = 0
        for (const stats of (await connection.getStats()).values() as IterableIterator<Record<string, number>>)
          samples += (stats["totalSamplesReceived"] ?? 0) - (stats["concealedSamples"] ?? 0)
        if (samples > (received.get(connection) ?? 0)) {
          longestMs = Math.max(longestMs, performance.now() - soundAtMs)
          soundAtMs = performance.now()
        }
        received.set(connection, samples)
      }
      setTimeout(() => void look(), 10)
    }
    void look()
    self.longestGap = () => longestMs
  })
}

/** The longest gap that has ended since `watchGaps`, in ms. */
export function longestGap(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as Watching).longestGap())
}
