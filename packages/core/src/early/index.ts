/**
 * Start of the engine before the rest of a page is loaded.
 * @module @keymoot/core/early
 */
export { startEngineEarly } from "../client/early-worker.ts"
