import type { Person } from "../person.ts"

/** A media worker's counts of one track. See `TrackCounts` of the package. */
export type FrameCount = {
  readonly direction: "send" | "receive"
  readonly source: string
  readonly passed: number
  readonly formerPassed: number
  readonly heldMs: number
  readonly dropped: Readonly<Record<string, number>>
}

type Counting = { countFrames: () => Promise<readonly FrameCount[]> }

/** Makes the page's media worker available to `frameCounts`. Call it before the page loads. */
export async function watchFrames(person: Person): Promise<void> {
  await person.page.context().addInitScript(() => {
    globalThis.Worker = class extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options)
        if (options?.name !== "keymoot-media") return
        let requests = 0
        const countFrames = (): Promise<readonly FrameCount[]> =>
          new Promise((resolve) => {
            // The page's own requests are positive.
            const request = --requests
            const listen = ({ data }: MessageEvent<{ request?: number; counts?: readonly FrameCount[] }>): void => {
              if (data.request !== request) return
              this.removeEventListener("message", listen)
              resolve(data.counts ?? [])
            }
            this.addEventListener("message", listen)
            this.postMessage({ type: "count", request })
          })
        Object.assign(globalThis, { countFrames })
      }
    }
  })
}

export function frameCounts(person: Person): Promise<readonly FrameCount[]> {
  return person.page.evaluate(() => (globalThis as unknown as Counting).countFrames())
}
