/** Members with real engines and no storage. Several in one page or process do not know of each other. */
import type { HostFactory } from "@keymoot/transport/host"
import { KeymootError } from "../api/index.ts"
import { EngineConnection, type EngineThread } from "../client/connection/engine-connection.ts"
import { type Identity, openConnection, openIdentityOn } from "../client/identity.ts"
import { startWorkerThread } from "../client/worker-thread.ts"
import { serveEngine } from "../runtime/serve-engine.ts"
import { createMemoryStore } from "../identity/memory-store.ts"

/** Call it once in a separate worker, with which its identity ends. `meshMax`: as in `EngineOptions`. */
export function serveForgetfulEngine(options: { readonly meshMax?: number } = {}): void {
  serveEngine(createMemoryStore(), options)
}

/** @param createWorker makes a worker that calls `serveForgetfulEngine` @throws KeymootError as `Identity.open` */
export function openForgetfulIdentity(name: string, createWorker: () => Worker): Promise<Identity> {
  return openIdentityOn(openConnection(undefined, startWorkerThread(createWorker)), { name })
}

/** Interface of an engine on another thread, for any kind of thread. */
export type ForgetfulThread = Omit<EngineThread, "listen"> & {
  listen(onMessages: Parameters<EngineThread["listen"]>[0], onFailure: (why: string) => void): void
}

/** The same on any thread with any host. @throws KeymootError as `Identity.open` */
export function openForgetfulIdentityOn(name: string, host: HostFactory, thread: ForgetfulThread): Promise<Identity> {
  const listen: EngineThread["listen"] = (onMessages, onFailure) =>
    thread.listen(onMessages, (why) => onFailure(new KeymootError("internal", `The engine stopped: ${why}`)))
  return openIdentityOn(new EngineConnection({ ...thread, listen }, host), { name })
}
