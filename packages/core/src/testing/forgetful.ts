/** Members with real engines of whom nothing is kept anywhere: several in one page, or process, do not know of each other. */
import type { HostFactory } from "@keymoot/transport/host"
import { KeymootError } from "../api.ts"
import { EngineConnection, type EngineThread } from "../client/engine-connection.ts"
import { type Identity, openConnection, openIdentityOn } from "../client/identity.ts"
import { startWorkerThread } from "../client/worker-thread.ts"
import { serveEngine } from "../engine/serve-engine.ts"
import { createMemoryStore } from "../identity/index.ts"

/** For a worker of one's own, once: its identity is gone with it. `meshMax`: as in `EngineOptions`. */
export function serveForgetfulEngine(options: { readonly meshMax?: number } = {}): void {
  serveEngine(createMemoryStore(), options)
}

/** @param createWorker makes a worker that calls `serveForgetfulEngine` @throws KeymootError as `Identity.open` */
export function openForgetfulIdentity(name: string, createWorker: () => Worker): Promise<Identity> {
  return openIdentityOn(openConnection(undefined, startWorkerThread(createWorker)), { name })
}

/** What an engine on another thread needs, whichever kind of thread it is. */
export type ForgetfulThread = Omit<EngineThread, "listen"> & {
  listen(onMessages: Parameters<EngineThread["listen"]>[0], onFailure: (why: string) => void): void
}

/** The same on any thread, with any host. @throws KeymootError as `Identity.open` */
export function openForgetfulIdentityOn(name: string, host: HostFactory, thread: ForgetfulThread): Promise<Identity> {
  const listen: EngineThread["listen"] = (onMessages, onFailure) =>
    thread.listen(onMessages, (why) => onFailure(new KeymootError("internal", `The engine stopped: ${why}`)))
  return openIdentityOn(new EngineConnection({ ...thread, listen }, host), { name })
}
