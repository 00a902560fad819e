import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleForPages } from "@keymoot/tools"
import { serveFolder } from "./static-server.ts"

/** `keymoot`: the package, there before the page has loaded. */
const PAGE = `<!doctype html><title>The package</title><script type="module">
import * as keymoot from "./keymoot.js"
window.keymoot = keymoot
</script>`

export type PackagePage = { readonly origin: string; close(): Promise<void> }

/** A page that is empty but for the package, as pages without a bundler have it. */
export async function servePackagePage(): Promise<PackagePage> {
  const directory = await mkdtemp(join(tmpdir(), "keymoot-package-"))
  await bundleForPages(directory)
  await writeFile(join(directory, "index.html"), PAGE)
  const pages = await serveFolder(directory)
  return {
    origin: pages.origin,
    close: () => {
      pages.close()
      return rm(directory, { recursive: true })
    },
  }
}
