/** `@keymoot/core` as pages without a bundler have it, made of what is here now and of no older build. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bundleForPages } from "@keymoot/tools"
import { serveFolder } from "./static-server.ts"

/** `keymoot`: the package, there before anything else runs. */
const PAGE = `<!doctype html><title>The package</title><script type="module">
import * as keymoot from "./keymoot.js"
window.keymoot = keymoot
</script>`

/** A folder with the package's files and a page, `index.html`, that is empty but for it. */
export type PagePackage = { readonly directory: string; readonly dispose: () => Promise<void> }

export async function pagePackage(): Promise<PagePackage> {
  const directory = await mkdtemp(join(tmpdir(), "keymoot-package-"))
  await bundleForPages(directory)
  await writeFile(join(directory, "index.html"), PAGE)
  return { directory, dispose: () => rm(directory, { recursive: true }) }
}

export async function servePackagePage(): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const { directory, dispose } = await pagePackage()
  const pages = await serveFolder(directory)
  return {
    origin: pages.origin,
    close: () => {
      pages.close()
      return dispose()
    },
  }
}
