import { enableCompileCache, flushCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// What Node strips and compiles at every start costs half of it, and 25 MB for as long as the server runs. Beside the modules,
// not in a directory for temporary files, where anybody could leave code for this process. Where it cannot be written, or
// NODE_COMPILE_CACHE names another place, that is as good.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/keymoot", import.meta.url)))
await import("./run.ts")
flushCompileCache()
