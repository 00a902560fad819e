/** A media worker that encrypts nothing. It answers counts once it is loaded, as a real one does. */
export class FakeMediaWorker extends EventTarget {
  /** Later workers stay silent until `fails`. */
  static isLoading = false

  postMessage(message: { readonly type: string; readonly request?: number }): void {
    if (message.type !== "count" || FakeMediaWorker.isLoading) return
    const data = { type: "counts", request: message.request, counts: [] }
    queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data })))
  }

  /** The browser cannot load its code. */
  fails(): void {
    this.dispatchEvent(new Event("error"))
  }

  terminate(): void {}
}
