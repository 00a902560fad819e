import type { Person } from "./person.ts"

type ToMediaWorker = { readonly type: string; readonly port?: MessagePort }

/**
 * Makes the keys of each view reach this person's media worker late. Views and speakers do not wait, as in the product.
 * Call it before the page loads.
 */
export async function delayKeys(person: Person, lateMs: number): Promise<void> {
  if (lateMs === 0) return
  await person.page.context().addInitScript((lateMs) => {
    /** Stands between the engine's port and the media worker. Returns the end for the worker. */
    const delayed = (engine: MessagePort): MessagePort => {
      const { port1, port2 } = new MessageChannel()
      engine.addEventListener("message", ({ data }: MessageEvent<{ readonly type: string }>) => {
        const waits = data.type === "keyed" || data.type === "secured"
        if (waits) setTimeout(() => port1.postMessage(data), lateMs)
        else port1.postMessage(data)
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
  }, lateMs)
}
