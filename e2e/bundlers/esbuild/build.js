/** esbuild leaves `new URL(…, import.meta.url)` as it is, so the worker is copied beside the bundle. */
import { copyFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

await build({
  entryPoints: ["main.js"],
  bundle: true,
  minify: true,
  format: "esm",
  outdir: "dist",
  alias: { "@keymoot/core": "@keymoot/core/browser" },
})
const worker = new URL("keymoot-worker.js", import.meta.resolve("@keymoot/core/browser"))
copyFileSync(fileURLToPath(worker), "dist/keymoot-worker.js")
writeFileSync("dist/index.html", `<!doctype html><div></div><script type="module" src="main.js"></script>`)
