import { enableCompileCache, flushCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// Stripping and compiling takes half of the start, and 25 MB while the server runs. The cache lies beside the modules:
// in a shared directory for temporary files anybody could leave code for this process. A directory that is not
// writable, or another one in NODE_COMPILE_CACHE, does no harm.
enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/keymoot", import.meta.url)))
const { run } = await import("./run.ts")
await run(fileURLToPath(new URL("../../web/dist", import.meta.url)))
flushCompileCache()
