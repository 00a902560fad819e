import type { Sounds } from "../../src/media/worker/frame-transforms.ts"

/** A media worker that encrypts nothing. It answers counts once it is loaded, as a real one does. */
export class FakeMediaWorker extends EventTarget {
  /** Later workers stay silent until `fails`. */
  static isLoading = false
  static last: FakeMediaWorker | null = null

  constructor() {
    super()
    FakeMediaWorker.last = this
  }

  postMessage(message: { readonly type: string; readonly request?: number }): void {
    if (message.type !== "count" || FakeMediaWorker.isLoading) return
    const data = { type: "counts", request: message.request, counts: [] }
    queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data })))
  }

  report(sounds: Sounds): void {
    this.dispatchEvent(new MessageEvent("message", { data: { type: "sounds", sounds } }))
  }

  /** The browser cannot load its code. */
  fails(): void {
    this.dispatchEvent(new Event("error"))
  }

  terminate(): void {}
}
