/** Entry of the engine's module worker. */
import { createBrowserStore } from "../identity/index.ts"
import { serveEngine } from "./serve-engine.ts"

// No top-level await, so that the engine can be built as one classic script, which every bundler passes on as it is.
serveEngine(createBrowserStore())
