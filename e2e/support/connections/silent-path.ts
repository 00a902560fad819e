/** A direct path that dies without a sign: both ends stay open, and nothing comes through any more. */
import type { Page } from "@playwright/test"

declare global {
  interface Window {
    pathIsSilent: boolean
  }
}

/**
 * Before the page loads. Its channels stay in the page, as in browsers that cannot move them into the worker: there
 * they can be silenced.
 */
export function allowSilence(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    window.pathIsSilent = false
    const { send, addEventListener } = RTCDataChannel.prototype
    RTCDataChannel.prototype.send = function (this: RTCDataChannel, data: never) {
      if (!window.pathIsSilent) Reflect.apply(send, this, [data])
    }
    RTCDataChannel.prototype.addEventListener = function (
      this: RTCDataChannel,
      type: string,
      listener: (event: Event) => void,
    ) {
      const heard = (event: Event): void => {
        if (type !== "message" || !window.pathIsSilent) listener(event)
      }
      Reflect.apply(addEventListener, this, [type, heard])
    } as typeof addEventListener
    const { postMessage } = Worker.prototype
    Worker.prototype.postMessage = function (this: Worker, message: unknown, transfer?: Transferable[]) {
      if (transfer?.some((each) => (each as unknown) instanceof RTCDataChannel))
        throw new DOMException("kept in the page", "DataCloneError")
      Reflect.apply(postMessage, this, [message, transfer])
    } as typeof postMessage
  })
}

/** From here on nothing leaves or reaches the page over its direct paths. Milliseconds until it uses the relay. */
export function silence(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const { paths } = window.talk
    const sinceMs = performance.now()
    window.pathIsSilent = true
    while (paths.at(-1) === "direct") await new Promise((done) => setTimeout(done, 10))
    return performance.now() - sinceMs
  })
}
