/** An engine in a module worker, whoever keeps its identities. */
import { ChannelEnds } from "@keymoot/transport/host"
import type { IdentityStore } from "../identity/index.ts"
import { loadCryptography } from "./cryptography.ts"
import { Engine, type EngineOptions } from "./engine.ts"
import { buffersToHandOver } from "./handed-over.ts"
import type { ToEngine } from "./protocol.ts"
import type { FromWorker, ToWorker } from "./worker-protocol.ts"

/** The part of a dedicated worker's scope that is used here; the project compiles against the page's DOM types. */
type WorkerScope = {
  postMessage(messages: readonly FromWorker[], transfer: Transferable[]): void
  addEventListener(type: "message", listener: (event: MessageEvent<readonly ToWorker[]>) => void): void
}

/** Once in a worker. Not to be waited for: what fails is the worker's own error. */
export function serveEngine(store: IdentityStore, options: Pick<EngineOptions, "meshMax"> = {}): void {
  const scope = globalThis as unknown as WorkerScope
  const post = postedInTurns(scope)
  /** What comes while the group is being loaded waits for it. */
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
      post: (message) => {
        if (message.type !== "host" || !channels.post(message.command)) post(message)
      },
    })
    for (const message of early) engine.handle(message)
  }
  start().catch(reportError)
}

/** What goes out in one turn crosses as one message. */
function postedInTurns(scope: WorkerScope): (message: FromWorker) => void {
  let outgoing: FromWorker[] = []
  const flush = (): void => {
    const messages = outgoing
    outgoing = []
    scope.postMessage(messages, buffersToHandOver(messages))
  }
  return (message) => {
    if (outgoing.length === 0) queueMicrotask(flush)
    outgoing.push(message)
  }
}
