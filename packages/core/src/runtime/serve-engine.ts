/** Runs an engine in a module worker. `worker.ts` says why this is not the entry itself. */
import { formatEntry, TraceSink } from "@keymoot/transport"
import { ChannelEnds } from "@keymoot/transport/host"
import { createBrowserStore } from "../identity/browser-store.ts"
import type { IdentityStore } from "../identity/store.ts"
import { loadCryptography } from "../platform/cryptography.ts"
import { Engine, type EngineOptions } from "./engine.ts"
import { assertOwnModules, type OwnModules } from "./own-modules.ts"
import { TurnMessages } from "../rpc/turn-messages.ts"
import { transferables, type FromWorker, type ToWorker } from "../rpc/worker-protocol.ts"

/** Used part of a dedicated worker's scope. The project compiles against the DOM types of pages. */
type WorkerScope = {
  postMessage(messages: readonly FromWorker[], transfer: Transferable[]): void
  addEventListener(type: "message", listener: (event: MessageEvent<readonly ToWorker[]>) => void): void
}

/** Call it once in a worker. The page learns if the cryptography fails to load. */
export function serveEngine(store: IdentityStore, options: OwnModules & Pick<EngineOptions, "meshMax">): void {
  const scope = globalThis as unknown as WorkerScope
  const turn = new TurnMessages<FromWorker>((messages) => scope.postMessage(messages, transferables(messages)))
  const post = (message: FromWorker): void => turn.add(message)
  /** Requests without a reply yet. On a slow line the cryptography would delay the first replies. */
  let unanswered = 0
  const engine: Engine = new Engine({
    ...options,
    store,
    // oxlint-disable-next-line no-console -- A trace is for the console. It is off by default.
    traceSink: new TraceSink((entry) => console.debug(formatEntry(entry))),
    sink: {
      take: (message) => {
        if (message.type !== "host" || !channels.post(message.command)) post(message)
        if (message.type === "reply" && --unanswered <= 0) loadCryptography().catch(() => post({ type: "not-loaded" }))
      },
    },
  })
  const channels = new ChannelEnds({
    engine: { take: (event) => engine.handle({ type: "host", event }) },
    page: { take: (news) => post({ type: "channel-news", news }) },
  })
  scope.addEventListener("message", ({ data }) => {
    for (const message of data) {
      if (message.type === "channel") channels.add(message.connectionId, message.channel)
      else if (message.type === "channel-close") channels.close(message.connectionId)
      else if (message.type === "media-keys") engine.attachMediaKeys(message.id, message.port)
      else if (message.type === "host") channels.pass(message.event)
      else {
        if (message.type === "request") unanswered++
        engine.handle(message)
      }
    }
  })
  post({ type: "ready" })
}

/**
 * Runs an engine with own modules in a worker, whose entry calls it once and does nothing else. The page passes the
 * worker to `Identity.open` as `createWorker`.
 * @throws KeymootError `invalid-argument`
 */
export function startEngine(modules: OwnModules = {}): void {
  assertOwnModules(modules)
  serveEngine(createBrowserStore(), modules)
}
