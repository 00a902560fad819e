import { createReadStream } from "node:fs"
import { readFile, readdir } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import type { Plugin } from "vite"
import { withBoardTexts } from "./boardTexts.ts"
import { withCursorColours } from "./cursorColours.ts"
import { withRestingLasers } from "./restingLasers.ts"

/** The path of the whiteboard's fonts; `src/board/lazyBoard.ts` gives the same path to Excalidraw. */
const ASSET_PATH = "/assets/excalidraw/"
const NO_MERMAID = fileURLToPath(new URL("./noMermaid.ts", import.meta.url))
const WHOLE_FONTS = fileURLToPath(new URL("./wholeFonts.ts", import.meta.url))
/** Its version is under the GPL. No button offers it: a drawing that requests it gets the system's sans-serif. */
const OMITTED_FONT = /[\\/]Liberation$/
const FONT = /^\/[\w-]+\/[\w-]+\.woff2$/

const rewriting = {
  name: "excalidraw-offline",
  resolveId: (id: string) => {
    if (id === "@excalidraw/mermaid-to-excalidraw") return NO_MERMAID
    return id.startsWith("./subset-") ? WHOLE_FONTS : null
  },
  transform: (code: string, id: string) =>
    /[\\/]@excalidraw[\\/]excalidraw[\\/]dist[\\/]/.test(id)
      ? withBoardTexts(withRestingLasers(withCursorColours(withoutPolyfill(withoutThirdParties(code)))), id)
      : null,
}

/**
 * Keeps the whiteboard from requesting anything of a third party, and within our content security policy. We serve its
 * fonts, and the fallback to a public CDN points to the same place. The addresses of its makers' back ends (sharing,
 * libraries, AI) are emptied. Code that needs `eval` or that we do not offer is left out.
 */
export function excalidrawOffline(): Plugin {
  const fonts = join(dirname(createRequire(import.meta.url).resolve("@excalidraw/excalidraw")), "fonts")
  return {
    ...rewriting,
    enforce: "pre",
    // The development server bundles dependencies before it calls the page's plugins.
    config: () => ({ optimizeDeps: { rolldownOptions: { plugins: [rewriting] } } }),
    configureServer(server) {
      server.middlewares.use(`${ASSET_PATH}fonts`, (request, response, next) => {
        const name = (request.url ?? "").split("?")[0] ?? ""
        if (!FONT.test(name)) return next()
        response.setHeader("content-type", "font/woff2")
        createReadStream(join(fonts, name)).on("error", next).pipe(response)
      })
    },
    async generateBundle() {
      for (const entry of await readdir(fonts, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || OMITTED_FONT.test(entry.parentPath)) continue
        const file = join(entry.parentPath, entry.name)
        const fileName = `${ASSET_PATH.slice(1)}fonts/${relative(fonts, file).split(sep).join("/")}`
        this.emitFile({ type: "asset", fileName, source: await readFile(file) })
      }
    },
  }
}

/** Excalidraw's code without third parties' addresses. Returns the code of other files unchanged. */
export function withoutThirdParties(code: string): string {
  const rewritten = code
    .replace(/`https:\/\/esm\.sh\/\$\{[^]*?\}\/dist\/prod\/`/g, `new URL("${ASSET_PATH}", window.location.origin).href`)
    .replace(/\b(VITE_APP_[A-Z0-9_]+["']?:\s*)("[^"]*"|'[^']*'|`[^`]*`)/g, '$1""')
    // Its worker for cutting fonts would load the code that wholeFonts.ts replaces.
    .replace(/typeof Worker\s*(<\s*"u"|!==?\s*"undefined")/g, "false")
  if (rewritten.includes("esm.sh"))
    throw new Error("Excalidraw's font fall-back has changed: adapt excalidrawOffline.ts")
  return rewritten
}

/**
 * Takes out the polyfill for rounded rectangles, which all browsers that we support draw. Excalidraw loads it after its
 * first picture, and does not catch a failure. Returns the code of other files unchanged.
 */
export function withoutPolyfill(code: string): string {
  return code.replace(/await import\(\s*"canvas-roundrect-polyfill"\s*\)/, "undefined")
}
