import type { Page } from "@playwright/test"

/** A time without sound or without a new picture. `sinceMs` is of the machine's clock. */
export type Gap = { readonly sinceMs: number; readonly ms: number }
export type Gaps = { readonly sound: readonly Gap[]; readonly freezes: readonly Gap[] }

type Watching = { watched: { readonly connections: RTCPeerConnection[] }; gaps: { sound: Gap[]; freezes: Gap[] } }

/** Shorter gaps of sound are those of the counters themselves. */
const GAP_MS_MIN = 30

/**
 * Begins to look for gaps in the sound and the pictures that this page plays. Sound: times in which no decoder gave samples
 * that have come over the network. Browsers renew these counters every 50 ms or so. Pictures: what the browser itself
 * counts as a freeze, which is a picture that stands for 150 ms longer than usual.
 */
export function watchGaps(page: Page): Promise<void> {
  return page.evaluate((gapMsMin) => {
    const self = globalThis as unknown as Watching
    const received = new Map<RTCPeerConnection, number>()
    let frozen = { count: Infinity, seconds: 0 }
    let soundAtMs = performance.now()
    const add = (to: Gap[], ms: number): void => void to.push({ sinceMs: Date.now() - ms, ms })
    const look = async (): Promise<void> => {
      const sums = { count: 0, seconds: 0 }
      for (const connection of self.watched.connections) {
        // Connections of calls bundle, links do not.
        if (connection.getConfiguration().bundlePolicy !== "max-bundle") continue
        if (connection.connectionState === "closed") continue
        let samples = 0
        // A connection that closes meanwhile may never answer.
        const answer = await Promise.race([
          connection.getStats(),
          new Promise<null>((no) => setTimeout(no, 1000, null)),
        ])
        if (!answer) continue
        for (const stats of answer.values() as IterableIterator<Record<string, number>>) {
          samples += (stats["totalSamplesReceived"] ?? 0) - (stats["concealedSamples"] ?? 0)
          sums.count += stats["freezeCount"] ?? 0
          sums.seconds += stats["totalFreezesDuration"] ?? 0
        }
        // The two counters are not read at once, so their difference can fall.
        const most = received.get(connection) ?? 0
        if (samples > most) {
          const ms = performance.now() - soundAtMs
          if (ms >= gapMsMin) add(self.gaps.sound, ms)
          soundAtMs = performance.now()
        }
        received.set(connection, Math.max(most, samples))
      }
      if (sums.count > frozen.count)
        add(self.gaps.freezes, ((sums.seconds - frozen.seconds) * 1000) / (sums.count - frozen.count))
      frozen = sums
      setTimeout(() => void look(), 10)
    }
    self.gaps = { sound: [], freezes: [] }
    void look()
  }, GAP_MS_MIN)
}

/** Gaps that have ended since `watchGaps`. */
export function gapsOf(page: Page): Promise<Gaps> {
  return page.evaluate(() => (globalThis as unknown as Watching).gaps)
}

export const longest = (gaps: readonly Gap[]): number => Math.max(0, ...gaps.map(({ ms }) => ms))

/** The longest gap of sound that has ended since `watchGaps`, in ms. */
export async function longestGap(page: Page): Promise<number> {
  return longest((await gapsOf(page)).sound)
}
