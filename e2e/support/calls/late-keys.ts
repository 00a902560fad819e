import type { Person } from "../person.ts"

type ToMediaWorker = { readonly type: string; readonly port?: MessagePort }

/**
 * Makes the keys of each view reach this person's media worker late. Views and speakers do not wait, as in the product.
 * Call it before the page loads.
 * @param lateMs null: they wait for a call of the returned function
 */
export async function delayKeys({ page }: Person, lateMs: number | null): Promise<() => Promise<void>> {
  if (lateMs !== 0) await page.context().addInitScript(holdKeys, lateMs)
  return () => page.evaluate(() => (globalThis as unknown as { releaseKeys: () => void }).releaseKeys())
}

function holdKeys(lateMs: number | null): void {
  let releaseKeys = (): void => undefined
  const released = new Promise<void>((resolve) => (releaseKeys = resolve))
  Object.assign(globalThis, { releaseKeys })
  /** Stands between the engine's port and the media worker. Returns the end for the worker. */
  const delayed = (engine: MessagePort): MessagePort => {
    const { port1, port2 } = new MessageChannel()
    engine.addEventListener("message", ({ data }: MessageEvent<{ readonly type: string }>) => {
      const waits = data.type === "keyed" || data.type === "secured"
      const pass = (): void => port1.postMessage(data)
      if (!waits) pass()
      else if (lateMs === null) void released.then(pass)
      else setTimeout(pass, lateMs)
    })
    port1.addEventListener("message", ({ data }) => engine.postMessage(data))
    for (const port of [engine, port1]) port.start()
    return port2
  }
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (this: Worker, message: ToMediaWorker, transfer?: Transferable[]) {
    const port = message.type === "keys" && message.port ? delayed(message.port) : null
    Reflect.apply(postMessage, this, port ? [{ ...message, port }, [port]] : [message, transfer])
  } as typeof postMessage
}
