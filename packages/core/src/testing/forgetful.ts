/** Members in a page, with real workers and real links, of whom nothing is kept anywhere: several in one tab do not know of each other. */
import { type Identity, openConnection, openIdentityOn } from "../client/identity.ts"
import { startWorkerThread } from "../client/worker-thread.ts"
import { serveEngine } from "../engine/serve-engine.ts"
import { createMemoryStore } from "../identity/index.ts"

/** For a worker of one's own, once: its identity is gone with it. */
export function serveForgetfulEngine(): void {
  serveEngine(createMemoryStore())
}

/** @param createWorker makes a worker that calls `serveForgetfulEngine` @throws KeymootError as `Identity.open` */
export function openForgetfulIdentity(name: string, createWorker: () => Worker): Promise<Identity> {
  return openIdentityOn(openConnection(undefined, startWorkerThread(createWorker)), { name })
}
