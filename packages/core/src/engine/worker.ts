/** Entry of the engine's module worker. */
import { createBrowserStore } from "../identity/index.ts"
import { loadCryptography } from "./cryptography.ts"
import { Engine } from "./engine.ts"
import type { FromEngine, ToEngine } from "./protocol.ts"

/** The part of a dedicated worker's scope that is used here; the project compiles against the page's DOM types. */
type WorkerScope = {
  postMessage(messages: readonly FromEngine[], transfer: Transferable[]): void
  addEventListener(type: "message", listener: (event: MessageEvent<readonly ToEngine[]>) => void): void
}
const scope = globalThis as unknown as WorkerScope

/** What goes out in one turn crosses as one message. */
let outgoing: FromEngine[] = []
function post(message: FromEngine): void {
  if (outgoing.length === 0) queueMicrotask(flush)
  outgoing.push(message)
}
function flush(): void {
  const messages = outgoing
  outgoing = []
  scope.postMessage(messages, messages.flatMap(transferables))
}

/** Sealed frames are made for the wire alone, each in a buffer of its own. */
function transferables(message: FromEngine): Transferable[] {
  if (message.type !== "host" || message.command.type !== "peer-send") return []
  const whole = message.command.frames.filter((frame) => frame.byteLength === frame.buffer.byteLength)
  return [...new Set(whole.map((frame) => frame.buffer as ArrayBuffer))]
}

/** What comes while the group is being loaded waits for it. */
const early: ToEngine[] = []
let engine: Engine | null = null
scope.addEventListener("message", ({ data }) => {
  for (const message of data) {
    if (engine) engine.handle(message)
    else early.push(message)
  }
})

async function start(): Promise<void> {
  engine = new Engine({ store: createBrowserStore(), cryptography: await loadCryptography(), iceServers: [], post })
  for (const message of early) engine.handle(message)
}

// No top-level await, so that the engine can be built as one classic script, which every bundler passes on as it is.
start().catch(reportError)
