/** Runs an engine in a module worker with any identity store. */
import { formatEntry, TraceSink } from "@keymoot/transport"
import { ChannelEnds } from "@keymoot/transport/host"
import type { IdentityStore } from "../identity/index.ts"
import { loadCryptography } from "../platform/cryptography.ts"
import { Engine, type EngineOptions } from "./engine.ts"
import type { OwnModules } from "./own-modules.ts"
import type { ToEngine } from "../rpc/protocol.ts"
import { transferables, type FromWorker, type ToWorker } from "../rpc/worker-protocol.ts"

/** Used part of a dedicated worker's scope. The project compiles against the DOM types of pages. */
type WorkerScope = {
  postMessage(messages: readonly FromWorker[], transfer: Transferable[]): void
  addEventListener(type: "message", listener: (event: MessageEvent<readonly ToWorker[]>) => void): void
}

/** Call it once in a worker. It returns before the engine runs; a failed start is an uncaught error of the worker. */
export function serveEngine(store: IdentityStore, options: OwnModules & Pick<EngineOptions, "meshMax"> = {}): void {
  const scope = globalThis as unknown as WorkerScope
  const post = postedInTurns(scope)
  /** Buffers messages until the cryptography is loaded. */
  const early: ToEngine[] = []
  let engine: Engine | null = null
  const take = (message: ToEngine): void => {
    if (engine) engine.handle(message)
    else early.push(message)
  }
  const channels = new ChannelEnds({
    onEvent: (event) => take({ type: "host", event }),
    tell: (news) => post({ type: "channel-news", news }),
  })
  scope.addEventListener("message", ({ data }) => {
    for (const message of data) {
      if (message.type === "channel") channels.add(message.link, message.channel)
      else if (message.type === "channel-close") channels.close(message.link)
      else if (message.type === "media-keys") engine?.attachMediaKeys(message.id, message.port)
      else if (message.type === "host") channels.pass(message.event)
      else take(message)
    }
  })
  const start = async (): Promise<void> => {
    engine = new Engine({
      ...options,
      store,
      cryptography: await loadCryptography(),
      iceServers: [],
      // oxlint-disable-next-line no-console -- A trace is for the console. It is off by default.
      traceSink: new TraceSink((entry) => console.debug(formatEntry(entry))),
      post: (message) => {
        if (message.type !== "host" || !channels.post(message.command)) post(message)
      },
    })
    post({ type: "ready" })
    for (const message of early) engine.handle(message)
  }
  start().catch(reportError)
}

/** Combines the messages of one turn into one `postMessage`. */
function postedInTurns(scope: WorkerScope): (message: FromWorker) => void {
  let outgoing: FromWorker[] = []
  const flush = (): void => {
    const messages = outgoing
    outgoing = []
    scope.postMessage(messages, transferables(messages))
  }
  return (message) => {
    if (outgoing.length === 0) queueMicrotask(flush)
    outgoing.push(message)
  }
}
