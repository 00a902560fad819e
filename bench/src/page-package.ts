/** `@keymoot/core` as pages without a bundler have it, made of what is here now and of no older build, and pages to run it in. */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as Core from "@keymoot/core"
import { bundleForPages } from "@keymoot/tools"
import type { Browser, BrowserContext, Page } from "@playwright/test"

const PATH = "/bench-page"
/** On a machine that is busy with something else, everything takes long, and nothing is wrong. */
const PATIENCE_MS = 180_000

/** The package is there before anything else runs. */
const PAGE = `<!doctype html><script type="module">
import * as keymoot from "./keymoot.js"
window.keymoot = keymoot
</script>`

declare global {
  interface Window {
    keymoot: typeof Core
  }
}

export type PagePackage = { readonly directory: string; readonly dispose: () => Promise<void> }

export async function pagePackage(): Promise<PagePackage> {
  const directory = await mkdtemp(join(tmpdir(), "keymoot-bench-"))
  await bundleForPages(directory)
  return { directory, dispose: () => rm(directory, { recursive: true }) }
}

/** A page with the package in it, on the server's own origin, in a profile of its own. `prepare`: before it opens. */
export async function openPage(
  browser: Browser,
  server: string,
  { directory }: PagePackage,
  prepare: (context: BrowserContext) => Promise<void> = async () => {},
): Promise<Page> {
  const context = await browser.newContext()
  context.setDefaultTimeout(PATIENCE_MS)
  await context.route(`${server}${PATH}/**`, async (route) => {
    const file = new URL(route.request().url()).pathname.slice(PATH.length + 1)
    return file === ""
      ? route.fulfill({ contentType: "text/html", body: PAGE })
      : route.fulfill({ contentType: "text/javascript", body: await readFile(join(directory, file)) })
  })
  await prepare(context)
  const page = await context.newPage()
  await page.goto(`${server}${PATH}/`)
  return page
}
