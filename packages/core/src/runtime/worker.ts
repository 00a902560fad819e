/** Entry of the engine's module worker. */
import { createBrowserStore } from "../identity/index.ts"
import { serveEngine } from "./serve-engine.ts"

// No top-level await: the engine is built as one classic script, which every bundler copies unchanged.
serveEngine(createBrowserStore())
