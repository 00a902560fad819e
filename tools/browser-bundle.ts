/**
 * `@keymoot/core` for pages without a bundler, from its sources: the entry, Yjs, and the engine's worker.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown, type InputOptions, type OutputOptions } from "rolldown"
import { deflateSodium } from "./deflated-wasm.ts"
import { trimSodium } from "./trimmed-sodium.ts"

const CORE = fileURLToPath(new URL("../packages/core", import.meta.url))
/** The form of it that can be taken apart: the worker needs a few of its helpers. */
const TSLIB = fileURLToPath(new URL("../node_modules/tslib/tslib.es6.mjs", import.meta.url))

const COMMON: InputOptions = {
  cwd: CORE,
  platform: "browser",
  tsconfig: false,
  resolve: { conditionNames: ["keymoot-source", "browser", "import", "default"] },
  transform: { target: "es2023" },
}

async function bundle(dir: string, input: InputOptions, output: OutputOptions): Promise<void> {
  const bundled = await rolldown({ ...COMMON, ...input })
  await bundled.write({ dir, minify: true, ...output })
  await bundled.close()
}

/** One classic script, libsodium's WebAssembly inside: import maps do not reach workers, nor do all bundlers. */
async function bundleWorker(directory: string): Promise<void> {
  const input: InputOptions = {
    input: { "keymoot-worker": "src/engine/worker.ts" },
    // libsodium asks where it was loaded from, and does without an answer.
    transform: { ...COMMON.transform, define: { "import.meta": "{}" } },
    resolve: { ...COMMON.resolve, alias: { tslib: TSLIB } },
    // All others only declare things, as far as the engine needs them.
    treeshake: { moduleSideEffects: (id) => /reflect-(?:metadata|polyfill)|libsodium/u.test(id) },
    plugins: [deflateSodium(), trimSodium()],
  }
  await bundle(directory, input, { format: "iife", codeSplitting: false, entryFileNames: "[name].js" })
}

/** Yjs has an entry of its own, because a page that uses it must use the same copy. */
async function bundleEntry(directory: string): Promise<void> {
  const workerUrl = "../../browser/keymoot-worker.js"
  const input: InputOptions = {
    input: { keymoot: "src/index.ts", yjs: "yjs" },
    plugins: [
      {
        name: "engine-worker-beside",
        resolveId: (id) => (id === "#engine-worker" ? join(CORE, "src/client/engine-worker.ts") : null),
        transform(code, id) {
          if (!id.endsWith("/client/engine-worker.ts")) return null
          if (!code.includes(workerUrl)) throw new Error(`${id} no longer names ${workerUrl}`)
          return code.replace(workerUrl, "./keymoot-worker.js")
        },
      },
    ],
  }
  await bundle(directory, input, { format: "es", entryFileNames: "[name].js", chunkFileNames: "shared-[hash].js" })
}

/** Writes `keymoot.js`, `yjs.js`, `keymoot-worker.js` and what they share. */
export async function bundleForPages(directory: string): Promise<void> {
  await bundleWorker(directory)
  await bundleEntry(directory)
}
