import { join } from "node:path"
import { Worker } from "node:worker_threads"
import type { Identity } from "@keymoot/core"
import { openForgetfulIdentityOn } from "@keymoot/core/testing"
import type { HostFactory } from "@keymoot/transport/host"
import { LOOK, type Looked } from "./messages.ts"

/** An identity whose engine has a thread, and so a heap, of its own. */
export class MeasuredEngine {
  readonly identity: Identity
  readonly #worker: Worker

  private constructor(identity: Identity, worker: Worker) {
    this.identity = identity
    this.#worker = worker
  }

  static async start(name: string, host: HostFactory): Promise<MeasuredEngine> {
    const worker = new Worker(join(import.meta.dirname, "engine-worker.ts"), {
      execArgv: ["--conditions=keymoot-source"],
    })
    const identity = await openForgetfulIdentityOn(name, host, {
      post: (messages) => worker.postMessage(messages),
      listen: (onMessages, onFailure) => {
        worker.on("message", (data) => {
          if (Array.isArray(data)) onMessages(data)
        })
        worker.on("error", (error) => onFailure(`${error instanceof Error ? error.stack : error}`))
      },
      close: () => void worker.terminate(),
    })
    return new MeasuredEngine(identity, worker)
  }

  /** Reachable bytes after a garbage collection. */
  heapBytes(): Promise<number> {
    return new Promise((resolve) => {
      const listen = (data: Looked | unknown[]): void => {
        if (Array.isArray(data)) return
        this.#worker.off("message", listen)
        resolve(data.heapBytes)
      }
      this.#worker.on("message", listen)
      this.#worker.postMessage(LOOK)
    })
  }
}
