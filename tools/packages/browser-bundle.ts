/**
 * `@keymoot/core` for pages without a bundler, from its sources: the entry, Yjs, and the workers of the engine and of
 * voice and video.
 */
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown, type InputOptions, type OutputOptions, type Plugin } from "rolldown"
import { deflateSodium } from "./deflated-wasm.ts"
import { Notices } from "../notices/notices.ts"
import { trimSodium } from "./trimmed-sodium.ts"

const CORE = fileURLToPath(new URL("../../packages/core", import.meta.url))
/** The form of it that can be taken apart: the worker needs a few of its helpers. */
const TSLIB = fileURLToPath(new URL("../../node_modules/tslib/tslib.es6.mjs", import.meta.url))

/** The files that start workers. They name the worker of the published package, and here the one beside them. */
const WORKERS: Readonly<
  Record<string, { readonly source: string; readonly published: string; readonly beside: string }>
> = {
  "#engine-worker": {
    source: "src/client/engine-worker.ts",
    published: "../../browser/keymoot-worker.js",
    beside: "./keymoot-worker.js",
  },
  "#media-worker": {
    source: "src/media/call/media-worker-url.ts",
    published: "../../../browser/keymoot-media-worker.js",
    beside: "./keymoot-media-worker.js",
  },
}

const COMMON: InputOptions = {
  cwd: CORE,
  platform: "browser",
  tsconfig: false,
  resolve: { conditionNames: ["keymoot-source", "browser", "import", "default"] },
  transform: { target: "es2023" },
}

/**
 * Without annotations such as `@__PURE__`: what they allow has been done, and an application's bundler that minifies these files
 * again could drop calls that count.
 */
async function bundle(dir: string, input: InputOptions, output: OutputOptions): Promise<void> {
  const bundled = await rolldown({ ...COMMON, ...input })
  await bundled.write({ dir, minify: true, comments: { annotation: false }, ...output })
  await bundled.close()
}

/** The worker has noble's SHA-256 anyway. The files that it shares with pages use Yjs's, which pages have anyway. */
const ONE_SHA256: Plugin = {
  name: "one-sha256",
  resolveId: (id) => (id === "lib0/hash/sha256" ? "\0one-sha256" : null),
  load: (id) => (id === "\0one-sha256" ? `export { sha256 as digest } from "@noble/hashes/sha2.js"` : null),
}

const CLASSIC_SCRIPT: OutputOptions = { format: "iife", codeSplitting: false, entryFileNames: "[name].js" }

/** One classic script, libsodium's WebAssembly inside: import maps do not reach workers, nor do all bundlers. */
async function bundleWorker(directory: string, notices: Notices): Promise<void> {
  const input: InputOptions = {
    input: { "keymoot-worker": "src/runtime/worker.ts" },
    // libsodium asks where it was loaded from, and does without an answer.
    transform: { ...COMMON.transform, define: { "import.meta": "{}" } },
    resolve: { ...COMMON.resolve, alias: { tslib: TSLIB } },
    // All others only declare things, as far as the engine needs them.
    treeshake: { moduleSideEffects: (id) => /libsodium/u.test(id) },
    plugins: [deflateSodium(), trimSodium(), ONE_SHA256, notices.collect()],
  }
  await bundle(directory, input, CLASSIC_SCRIPT)
}

async function bundleMediaWorker(directory: string, notices: Notices): Promise<void> {
  const input: InputOptions = {
    input: { "keymoot-media-worker": "src/media/worker/media-worker.ts" },
    plugins: [notices.collect()],
  }
  await bundle(directory, input, CLASSIC_SCRIPT)
}

/** Yjs has an entry of its own, because a page that uses it must use the same copy. */
async function bundleEntry(directory: string, notices: Notices): Promise<void> {
  const input: InputOptions = {
    input: { keymoot: "src/index.ts", yjs: "yjs" },
    plugins: [
      {
        name: "workers-beside",
        resolveId: (id) => (id in WORKERS ? join(CORE, WORKERS[id]!.source) : null),
        transform(code, id) {
          const worker = Object.values(WORKERS).find(({ source }) => id.endsWith(source))
          if (!worker) return null
          if (!code.includes(worker.published)) throw new Error(`${id} no longer names ${worker.published}`)
          return code.replace(worker.published, worker.beside)
        },
      },
      notices.write(),
    ],
  }
  await bundle(directory, input, { format: "es", entryFileNames: "[name].js", chunkFileNames: "shared-[hash].js" })
}

/** Writes `keymoot.js`, `yjs.js`, `keymoot-worker.js`, `keymoot-media-worker.js`, what they share, and the notices of third parties. */
export async function bundleForPages(directory: string): Promise<void> {
  const notices = new Notices()
  await bundleWorker(directory, notices)
  await bundleMediaWorker(directory, notices)
  await bundleEntry(directory, notices)
}

/** A classic script with this file of the sources or tests of `@keymoot/core`. `name`: of the global variable with its exports. */
export async function scriptOf(entry: string, name: string): Promise<string> {
  const bundled = await rolldown({ ...COMMON, input: entry, resolve: { ...COMMON.resolve, alias: { tslib: TSLIB } } })
  const { output } = await bundled.generate({ format: "iife", name, codeSplitting: false })
  await bundled.close()
  return output[0].code
}
