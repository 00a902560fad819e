import { createMediaWorker } from "#media-worker"
import type { Track } from "../worker/frame-cipher.ts"
import type { FromMediaWorker, ToMediaWorker } from "../worker/media-worker-protocol.ts"
import type { Sounds } from "../worker/sound-reports.ts"
import type { TrackCounts } from "../worker/track-counts.ts"

/** Interval between two questions whether the worker still runs. */
export const CHECK_MS = 2000
/** Such intervals without an answer, after which the worker counts as ended. A busy machine answers late. */
export const UNANSWERED_CHECKS_MAX = 15

/** A request for counts that the worker has not answered. There is one at a time, and all that ask meanwhile share it. */
type Question = {
  readonly request: number
  readonly counts: Promise<readonly TrackCounts[]>
  readonly answer: (counts: readonly TrackCounts[]) => void
  /** Checks that found it unanswered. */
  checks: number
}

/** The page's end of a media worker. */
export class MediaThread {
  readonly worker: Worker
  /** Whether the worker's code was loaded. Also true if the thread was closed first. */
  readonly loaded: Promise<boolean>
  #question: Question | null = null
  #requests = 0
  #isLoaded = false
  #isOver = false
  #onKeyFrame: ((track: Track) => void) | null = null
  #onSounds: (() => void) | null = null
  #onFailed: (() => void) | null = null
  readonly #timer = setInterval(() => this.#check(), CHECK_MS)
  #sounds: Sounds = new Map()
  #reportedAtMs = 0

  /** @param keys transferred: one end of a channel whose other end the engine has */
  constructor(keys: MessagePort) {
    this.worker = createMediaWorker()
    this.worker.addEventListener("message", ({ data }: MessageEvent<FromMediaWorker>) => {
      if (data.type === "needs-key-frame") return this.#onKeyFrame?.(data.track)
      if (data.type === "sounds") {
        this.#sounds = data.sounds
        this.#reportedAtMs = performance.now()
        return this.#onSounds?.()
      }
      if (data.request === this.#question?.request) this.#answer(data.counts)
    })
    this.#post({ type: "keys", port: keys }, [keys])
    // Its first answer shows that the code runs. Until then, an error means that the code could not be loaded.
    this.loaded = new Promise((resolve) => {
      this.worker.addEventListener("error", () => (this.#isLoaded ? this.#fail() : resolve(false)))
      void this.counts().then(() => {
        this.#isLoaded = true
        resolve(true)
      })
    })
  }

  onKeyFrameNeeded(listener: (track: Track) => void): void {
    this.#onKeyFrame = listener
  }

  /**
   * Since when no sound of a connection's peer arrives, as of the worker's last report, by this page's clock. Null while
   * it comes. Infinity before the first.
   */
  silentSinceMs(connection: number): number | null {
    const silentMs = this.#sounds.get(connection) ?? -Infinity
    return silentMs === 0 ? null : this.#reportedAtMs - silentMs
  }

  /** The listener hears of each report. A busy worker reports late, so nobody takes its delay for a silence. */
  onSounds(listener: () => void): void {
    this.#onSounds = listener
  }

  /** The listener hears once if the worker ends after it was loaded. No frame passes any more, in or out. */
  onFailed(listener: () => void): void {
    this.#onFailed = listener
  }

  /** Empty once the thread is closed or has failed. */
  counts(): Promise<readonly TrackCounts[]> {
    if (this.#isOver) return Promise.resolve([])
    if (this.#question) return this.#question.counts
    let answer: Question["answer"] = () => undefined
    const counts = new Promise<readonly TrackCounts[]>((resolve) => (answer = resolve))
    const request = ++this.#requests
    this.#question = { request, counts, answer, checks: 0 }
    this.#post({ type: "count", request })
    return counts
  }

  close(): void {
    this.#isOver = true
    clearInterval(this.#timer)
    this.worker.terminate()
    this.#answer([])
  }

  #answer(counts: readonly TrackCounts[]): void {
    this.#question?.answer(counts)
    this.#question = null
  }

  /** Not every browser has an event for a worker that it ends, as when the memory is full. */
  #check(): void {
    if (!this.#isLoaded) return
    if (!this.#question) return void this.counts()
    if (++this.#question.checks >= UNANSWERED_CHECKS_MAX) this.#fail()
  }

  #fail(): void {
    if (this.#isOver) return
    this.close()
    this.#onFailed?.()
  }

  #post(message: ToMediaWorker, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer)
  }
}
