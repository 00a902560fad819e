/** The engine of a worker with what only a browser has. `worker.ts` says why it is not the entry itself. */
import { createBrowserStore } from "../identity/index.ts"
import { serveEngine } from "./serve-engine.ts"

export function startEngine(): void {
  serveEngine(createBrowserStore())
}
