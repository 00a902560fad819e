/** An engine in a module worker, whoever keeps its identities. */
import type { IdentityStore } from "../identity/index.ts"
import { loadCryptography } from "./cryptography.ts"
import { Engine } from "./engine.ts"
import type { FromEngine, ToEngine } from "./protocol.ts"

/** The part of a dedicated worker's scope that is used here; the project compiles against the page's DOM types. */
type WorkerScope = {
  postMessage(messages: readonly FromEngine[], transfer: Transferable[]): void
  addEventListener(type: "message", listener: (event: MessageEvent<readonly ToEngine[]>) => void): void
}

/** Once in a worker. Not to be waited for: what fails is the worker's own error. */
export function serveEngine(store: IdentityStore): void {
  const scope = globalThis as unknown as WorkerScope
  /** What comes while the group is being loaded waits for it. */
  const early: ToEngine[] = []
  let engine: Engine | null = null
  scope.addEventListener("message", ({ data }) => {
    for (const message of data) {
      if (engine) engine.handle(message)
      else early.push(message)
    }
  })
  const start = async (): Promise<void> => {
    engine = new Engine({ store, cryptography: await loadCryptography(), iceServers: [], post: postedInTurns(scope) })
    for (const message of early) engine.handle(message)
  }
  start().catch(reportError)
}

/** What goes out in one turn crosses as one message. */
function postedInTurns(scope: WorkerScope): (message: FromEngine) => void {
  let outgoing: FromEngine[] = []
  const flush = (): void => {
    const messages = outgoing
    outgoing = []
    scope.postMessage(messages, messages.flatMap(transferables))
  }
  return (message) => {
    if (outgoing.length === 0) queueMicrotask(flush)
    outgoing.push(message)
  }
}

/** Sealed frames are made for the wire alone, each in a buffer of its own. */
function transferables(message: FromEngine): Transferable[] {
  if (message.type !== "host" || message.command.type !== "peer-send") return []
  const whole = message.command.frames.filter((frame) => frame.byteLength === frame.buffer.byteLength)
  return [...new Set(whole.map((frame) => frame.buffer as ArrayBuffer))]
}
