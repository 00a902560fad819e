import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Notices } from "@keymoot/tools/notices"
import react from "@vitejs/plugin-react"
import { defaultClientConditions, defineConfig } from "vite"
import { excalidrawOffline } from "./build/excalidrawOffline.ts"
import { subresourceIntegrity } from "./build/subresourceIntegrity.ts"

/** Its page, and the cryptography that all other pages run in a worker. */
const BENCHMARKS = /\/bench\/page\/|\/libsodium-sumo\/|\/libsodium-wrappers-sumo\//

/**
 * Chunks that only the benchmark needs have a telling name: the service worker must not cache them for a conference.
 */
function fileName({ moduleIds }: { readonly moduleIds: readonly string[] }): string {
  const isBenchmarks = moduleIds.some((id) => BENCHMARKS.test(id))
  return `assets/${isBenchmarks ? "benchmark-" : ""}[name]-[hash].js`
}

/** The engine and all that it needs at once are a chunk beside the worker's entry, for the reason that the entry gives. */
const ENGINE = /\/packages\/core\/src\/runtime\/serve-engine\.ts$/u

const EARLY = /\/apps\/web\/src\/early\.ts$/u
/** One chunk has all that each page needs at once. With forty, a slow line was often idle while it was asked for them. */
const PAGE = /\/apps\/web\/src\/main\.tsx$/u

/** Chunks of a worker. Here libsodium is the engine's. */
function workerFileName({ moduleIds }: { readonly moduleIds: readonly string[] }): string {
  return `assets/${moduleIds.some((id) => id.includes("/bench/page/")) ? "benchmark-" : ""}[name]-[hash].js`
}

const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8")) as { version: string }
const SERVER = "http://localhost:8080"
const notices = new Notices()

export default defineConfig({
  plugins: [react(), excalidrawOffline(), notices.write(), subresourceIntegrity()],
  resolve: {
    // The packages of this repository are compiled from their sources: no build is needed first.
    conditions: ["keymoot-source", ...defaultClientConditions],
    // One copy each: two copies of Yjs do not recognize each other's types.
    dedupe: ["react", "react-dom", "yjs"],
  },
  // No commit and no time: a tarball without git has to give the same bytes.
  define: { "import.meta.env.VITE_VERSION": JSON.stringify(version) },
  // Vite bundles the workers before it writes the page.
  worker: {
    format: "es",
    plugins: () => [notices.collect()],
    rolldownOptions: {
      output: {
        entryFileNames: fileName,
        chunkFileNames: workerFileName,
        codeSplitting: { groups: [{ name: "engine", test: ENGINE, includeDependenciesRecursively: true }] },
      },
    },
  },
  build: {
    target: "es2023",
    // The polyfill is an inline script, which the content security policy refuses.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        chunkFileNames: fileName,
        codeSplitting: {
          groups: [
            { name: "early", test: EARLY, includeDependenciesRecursively: true, priority: 1 },
            { name: "page", test: PAGE, includeDependenciesRecursively: true },
          ],
        },
      },
    },
    // Nothing is inlined as `data:`, so that the policy needs no `data:` for fonts or scripts.
    assetsInlineLimit: 0,
    // The largest is the WebAssembly that cuts fonts for SVG export; it is loaded only then.
    chunkSizeWarningLimit: 2000,
  },
  server: { proxy: { "/signaling": { target: SERVER, ws: true } } },
})
