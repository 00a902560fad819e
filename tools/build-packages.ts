/**
 * The part of the published packages that the compiler does not make: `dist/browser` of `@keymoot/core`, with the engine's
 * worker for everybody, and the entry for pages without a bundler. Runs behind `tsc -b`.
 */
import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown, type InputOptions, type OutputOptions } from "rolldown"
import { deflateSodium } from "./deflated-wasm.ts"

const PACKAGES = fileURLToPath(new URL("../packages", import.meta.url))
const CORE = join(PACKAGES, "core")
const OUTPUT = join(CORE, "dist/browser")

const COMMON: InputOptions = {
  cwd: CORE,
  platform: "browser",
  tsconfig: false,
  resolve: { conditionNames: ["keymoot-source", "browser", "import", "default"] },
  transform: { target: "es2023" },
}

/** The compiler leaves behind what it once made of sources that are gone. */
function removeStale(name: string): void {
  const built = join(PACKAGES, name, "dist/src")
  const sources = new Set(readdirSync(join(PACKAGES, name, "src"), { recursive: true, encoding: "utf8" }))
  for (const file of readdirSync(built, { recursive: true, encoding: "utf8" })) {
    const source = file.replace(/(?:\.d\.ts|\.js)(?:\.map)?$/u, ".ts")
    if (source !== file && !sources.has(source)) rmSync(join(built, file))
  }
}

async function bundle(input: InputOptions, output: OutputOptions): Promise<void> {
  const bundled = await rolldown({ ...COMMON, ...input })
  await bundled.write({ dir: OUTPUT, minify: true, ...output })
  await bundled.close()
}

/** One classic script, libsodium's WebAssembly inside: import maps do not reach workers, nor do all bundlers. */
async function buildWorker(): Promise<void> {
  const input: InputOptions = {
    input: { "keymoot-worker": "src/engine/worker.ts" },
    // libsodium asks where it was loaded from, and does without an answer.
    transform: { ...COMMON.transform, define: { "import.meta": "{}" } },
    plugins: [deflateSodium()],
  }
  await bundle(input, { format: "iife", codeSplitting: false, entryFileNames: "[name].js" })
}

/** Yjs has an entry of its own, because a page that uses it must use the same copy. */
async function buildBrowserEntry(): Promise<void> {
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
  await bundle(input, { format: "es", entryFileNames: "[name].js", chunkFileNames: "shared-[hash].js" })
}

for (const name of ["gke", "transport", "core"]) removeStale(name)
rmSync(OUTPUT, { recursive: true, force: true })
await buildWorker()
await buildBrowserEntry()
