/** The engine of a worker with what only a browser has. `worker.ts` says why it is not the entry itself. */
import { createBrowserStore } from "../identity/index.ts"
import { assertOwnModules, type OwnModules } from "./own-modules.ts"
import { serveEngine } from "./serve-engine.ts"

/**
 * Runs an engine with own modules in a worker, whose entry calls it once and does nothing else. The page passes the
 * worker to `Identity.open` as `createWorker`.
 * @throws KeymootError `invalid-argument`
 */
export function startEngine(modules: OwnModules = {}): void {
  assertOwnModules(modules)
  serveEngine(createBrowserStore(), modules)
}
