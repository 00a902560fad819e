/** A worker that runs nothing and says what a test has it say. */
export class FakeWorker extends EventTarget {
  terminated = false
  readonly postMessage = (): void => undefined
  terminate(): void {
    this.terminated = true
  }
  says(...messages: readonly object[]): void {
    this.dispatchEvent(new MessageEvent("message", { data: messages }))
  }
  fails(message: string): void {
    this.dispatchEvent(Object.assign(new Event("error"), { message }))
  }
}
