import type { Sounds } from "../../src/media/worker/sound-reports.ts"

/** A media worker that encrypts nothing. It answers counts once it is loaded, as a real one does. */
export class FakeMediaWorker extends EventTarget {
  /** All workers stay silent until `fails` or `answers`. */
  static isLoading = false
  static last: FakeMediaWorker | null = null
  isTerminated = false
  /** Requests for counts. */
  questions = 0
  #request: number | undefined

  constructor() {
    super()
    FakeMediaWorker.last = this
  }

  postMessage({ type, request }: { readonly type: string; readonly request?: number }): void {
    if (type !== "count") return
    this.questions++
    this.#request = request
    if (!FakeMediaWorker.isLoading) queueMicrotask(() => this.answers())
  }

  /** Answers the last question. */
  answers(): void {
    const data = { type: "counts", request: this.#request, counts: [] }
    this.dispatchEvent(new MessageEvent("message", { data }))
  }

  report(sounds: Sounds): void {
    this.dispatchEvent(new MessageEvent("message", { data: { type: "sounds", sounds } }))
  }

  /** The browser cannot load its code, or has ended it. */
  fails(): void {
    this.dispatchEvent(new Event("error"))
  }

  terminate(): void {
    this.isTerminated = true
  }
}
