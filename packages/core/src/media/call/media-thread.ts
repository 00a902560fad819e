import { createMediaWorker } from "#media-worker"
import type { Track } from "../worker/frame-cipher.ts"
import type { Sounds } from "../worker/frame-transforms.ts"
import type { FromMediaWorker, ToMediaWorker } from "../worker/media-worker-protocol.ts"
import type { TrackCounts } from "../worker/track-counts.ts"

/** The page's end of a media worker. */
export class MediaThread {
  readonly worker: Worker
  /** Whether the worker's code was loaded. Also true if the thread was closed first. */
  readonly loaded: Promise<boolean>
  readonly #counting = new Map<number, (counts: readonly TrackCounts[]) => void>()
  #requests = 0
  #onKeyFrame: ((track: Track) => void) | null = null
  #onSounds: (() => void) | null = null
  /** As of the media worker's last report, which comes a few times a second. */
  sounds: Sounds = new Map()

  /** @param keys transferred: one end of a channel whose other end the engine has */
  constructor(keys: MessagePort) {
    this.worker = createMediaWorker()
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromMediaWorker>) => {
      if (data.type === "needs-key-frame") return this.#onKeyFrame?.(data.track)
      if (data.type === "sounds") {
        this.sounds = data.sounds
        return this.#onSounds?.()
      }
      this.#counting.get(data.request)?.(data.counts)
      this.#counting.delete(data.request)
    })
    this.#post({ type: "keys", port: keys }, [keys])
    // Its first answer shows that the code runs. Until then, an error means that the code could not be loaded.
    this.loaded = new Promise((resolve) => {
      this.worker.addEventListener("error", () => resolve(false), { once: true })
      void this.counts().then(() => resolve(true))
    })
  }

  onKeyFrameNeeded(listener: (track: Track) => void): void {
    this.#onKeyFrame = listener
  }

  /** The listener hears of each report. A busy worker reports late, so nobody takes its delay for a silence. */
  onSounds(listener: () => void): void {
    this.#onSounds = listener
  }

  counts(): Promise<readonly TrackCounts[]> {
    return new Promise((resolve) => {
      const request = ++this.#requests
      this.#counting.set(request, resolve)
      this.#post({ type: "count", request })
    })
  }

  close(): void {
    this.worker.terminate()
    for (const resolve of this.#counting.values()) resolve([])
    this.#counting.clear()
  }

  #post(message: ToMediaWorker, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer)
  }
}
