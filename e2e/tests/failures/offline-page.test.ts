import { createHash } from "node:crypto"
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "@playwright/test"
import { expect, test } from "../../support/fixtures.ts"
import { ServerProcess } from "../../support/server-process.ts"

// A verdict that varies is wrong: no second try.
test.describe.configure({ retries: 0 })

const APP = fileURLToPath(new URL("../../../apps/web/dist", import.meta.url))
const SLOW = { timeout: 60_000 }

/**
 * The worker's version once no other worker waits. The test sends no message before. A message to a worker that stops
 * for its successor restarts it. Chromium then stops it only after half a minute without messages.
 */
async function activeVersion(page: Page): Promise<string> {
  const settled = () =>
    page.evaluate(async () => {
      const found = await navigator.serviceWorker.getRegistration()
      return found?.installing === null && found.waiting === null && found.active?.state === "activated"
    })
  await expect.poll(settled, SLOW).toBe(true)
  return page.evaluate(async () => {
    const active = (await navigator.serviceWorker.getRegistration())?.active
    return new Promise<string>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener("message", ({ data }) => resolve(String(data)))
      port1.start()
      active?.postMessage("version", [port2])
    })
  })
}

function pageVersion(page: Page): Promise<string | null> {
  return page.locator('meta[name="keymoot-build"]').getAttribute("content")
}

/** Another build: the same files under another version. */
async function rebuild(webDir: string, version: string): Promise<void> {
  const [page, worker] = [join(webDir, "index.html"), join(webDir, "sw.js")]
  const before = await readFile(page, "utf8")
  const former = /keymoot-build" content="(\w+)"/u.exec(before)?.[1] ?? ""
  const after = before.replace(former, version)
  const hash = (text: string) => `sha384-${createHash("sha384").update(text).digest("base64")}`
  await writeFile(page, after)
  const script = (await readFile(worker, "utf8")).replace(former, version).replace(hash(before), hash(after))
  await writeFile(worker, script)
  const list = join(webDir, "integrity.json")
  const hashes = JSON.parse(await readFile(list, "utf8")) as object
  await writeFile(list, JSON.stringify({ ...hashes, "/index.html": hash(after), "/sw.js": hash(script) }))
}

test("the page opens offline under the same policy, and offers a newer build", async ({ people }) => {
  const webDir = await mkdtemp(join(tmpdir(), "keymoot-app-"))
  await cp(APP, webDir, { recursive: true })
  const server = await ServerProcess.start({ WEB_DIR: webDir })
  try {
    const { page } = await people.arrive("Ada", "chromium", { serviceWorkers: "allow" })
    const policy = (await page.goto(server.origin))?.headers()["content-security-policy"]
    expect(policy).toContain("script-src 'self'")
    const first = await pageVersion(page)
    expect(await activeVersion(page)).toBe(first)
    const kept = await page.evaluate(async () => {
      const caching = (await caches.keys()).map(async (name) => (await caches.open(name)).keys())
      return (await Promise.all(caching)).flat().map(({ url }) => url)
    })
    expect(kept.length).toBeGreaterThan(50)
    expect(kept.filter((url) => new URL(url).origin !== server.origin)).toEqual([])

    await server.stop()
    for (const path of ["/", `/c/${"0".repeat(32)}`]) {
      const answer = await page.goto(server.origin + path)
      expect(answer?.fromServiceWorker()).toBe(true)
      expect(answer?.headers()["content-security-policy"]).toBe(policy)
      await expect(page.getByText("Keymoot").first()).toBeVisible()
    }
    await page.goto(server.origin)
    await page.getByLabel("Your name").pressSequentially("Ada")
    await page.getByRole("button", { name: "Start a conference" }).click()
    await expect(page.getByRole("alert")).toContainText("The server cannot be reached.", SLOW)

    await rebuild(webDir, "f".repeat(16))
    await server.startAgain()
    await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()))
    await expect(page.getByText("A new version of Keymoot is available.")).toBeVisible(SLOW)
    await page.getByRole("button", { name: "Update" }).click()
    await expect.poll(() => pageVersion(page)).toBe("f".repeat(16))
    expect(await activeVersion(page)).toBe("f".repeat(16))
    await expect(page.getByText("A new version of Keymoot is available.")).toBeHidden()
  } finally {
    await server.dispose()
    await rm(webDir, { recursive: true })
  }
})
