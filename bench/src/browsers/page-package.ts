/** Pages of a server to run `@keymoot/core` in. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type * as Core from "@keymoot/core"
import type { PagePackage } from "@keymoot/e2e/package-page"
import type { Browser, BrowserContext, Page } from "@playwright/test"

const PATH = "/bench-page"
/** On a machine that is busy with something else, everything takes long, and nothing is wrong. */
const PATIENCE_MS = 180_000

declare global {
  interface Window {
    keymoot: typeof Core
  }
}

/** A page with the package in it, on the server's own origin, in a profile of its own. `prepare`: before it opens. */
export async function openPage(
  browser: Browser,
  server: string,
  { directory }: Pick<PagePackage, "directory">,
  prepare: (context: BrowserContext) => Promise<void> = async () => {},
): Promise<Page> {
  const context = await browser.newContext()
  context.setDefaultTimeout(PATIENCE_MS)
  await context.route(`${server}${PATH}/**`, async (route) => {
    const file = new URL(route.request().url()).pathname.slice(PATH.length + 1) || "index.html"
    const contentType = file === "index.html" ? "text/html" : "text/javascript"
    return route.fulfill({ contentType, body: await readFile(join(directory, file)) })
  })
  // A page that `route` answers has no address. Chromium takes it for one of the internet, and blocks its WebSocket to
  // this machine. Socket.IO would poll instead.
  if (browser.browserType().name() === "chromium")
    await context.grantPermissions(["local-network-access"], { origin: server })
  await prepare(context)
  const page = await context.newPage()
  await page.goto(`${server}${PATH}/`)
  return page
}
