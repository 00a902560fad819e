import type { Person } from "../person.ts"

export type EncodedFrame = { data: ArrayBuffer }

export type Transformer = {
  readonly readable: ReadableStream<EncodedFrame>
  readonly writable: WritableStream<EncodedFrame>
  readonly options: { readonly direction: string; readonly source: string; readonly peer: { readonly member: string } }
  generateKeyFrame?(): Promise<unknown>
  sendKeyFrameRequest?(): Promise<unknown>
}

/**
 * Gives a person's media worker other transformers than the browser's. Call it before the page loads.
 * @param change runs in the worker, so it refers to nothing outside of itself
 * @param rewrite changes the worker's own code
 */
export async function changeTransformers(
  { page }: Person,
  change: (original: Transformer) => Transformer | Promise<Transformer>,
  rewrite: (code: string) => string = (code) => code,
): Promise<void> {
  const before = `{
    let own = null
    Object.defineProperty(globalThis, "onrtctransform", { set: (handler) => (own = handler) })
    const change = ${change.toString()}
    addEventListener("rtctransform", async ({ transformer }) => {
      const changed = await change(transformer)
      const bound = (name) => transformer[name] && { [name]: () => transformer[name]() }
      const { readable, writable } = changed
      const methods = { ...bound("generateKeyFrame"), ...bound("sendKeyFrameRequest") }
      own({ transformer: { ...methods, readable, writable, options: transformer.options } })
    })
  }`
  await page.context().route(/\/media-worker-[^/]+\.js$/u, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: `${before}\n${rewrite(await response.text())}` })
  })
}

/** Sends a word to the worker that has been changed, which hears it on a channel of this name. */
export async function tellWorker({ page }: Person, channel: string, word: string): Promise<void> {
  await page.evaluate(
    ([name, text]) => {
      const sender = new BroadcastChannel(name)
      sender.postMessage(text)
      sender.close()
    },
    [channel, word] as const,
  )
}
