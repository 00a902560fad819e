/** One member's engine in a thread of Node's, as in a browser it has a worker: so its heap is nobody else's. */
import { parentPort } from "node:worker_threads"
import { serveForgetfulEngine } from "@keymoot/core/testing"
import { heapBytes } from "./garbage.ts"
import { LOOK, type Looked } from "./messages.ts"

const port = parentPort!
// The part of a browser's worker scope that an engine uses.
Object.assign(globalThis, {
  postMessage: (messages: unknown, transfer: []) => port.postMessage(messages, transfer),
  addEventListener: (_: string, listener: (event: { readonly data: unknown }) => void) =>
    port.on("message", (data: unknown) => {
      if (data !== LOOK) listener({ data })
    }),
  reportError: (error: unknown) =>
    setImmediate(() => {
      throw error
    }),
})
port.on("message", (data: unknown) => {
  if (data === LOOK) port.postMessage({ heapBytes: heapBytes() } satisfies Looked)
})
serveForgetfulEngine()
