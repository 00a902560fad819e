/**
 * A conference too large for a full mesh, in real browsers: members over several Chromiums, several in a tab, data channels
 * between them. All members are secured, and a message of each reaches all in one order. Then a browser is killed, and the
 * rest get a new key and continue.
 *
 * Usage: npm run large -- [--members N] [--browsers N] [--mesh N]
 *
 * `--mesh`: the largest full mesh, 24 unless given. It reports the time of each step, and fails if one does not complete.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { launchMortalChromium } from "@keymoot/e2e"
import { startServer } from "@keymoot/signaling"
import { chromium, type BrowserServer, type Page } from "@playwright/test"
import { rolldown } from "rolldown"
import type { Seen } from "./page.ts"

const LOOK_MS = 500
const WITHIN_MS = 300_000
const LOOSE = { addressScale: 1000 }

const { values } = parseArgs({
  options: {
    members: { type: "string", default: "27" },
    browsers: { type: "string", default: "3" },
    mesh: { type: "string", default: "0" },
  },
})
const [count, browserCount, meshMax] = [Number(values.members), Number(values.browsers), Number(values.mesh)]

type Opened = { readonly process: BrowserServer; readonly page: Page; members: number }

// The server's own page. From a page that a test injects, Chromium opens no WebSocket to this machine. Long polling
// would
// replace it, and a browser allows that for six members at a time.
const scripts = await bundle()
const server = await startServer({ ...LOOSE, webDir: scripts })
const opened: Opened[] = []
try {
  await play()
} finally {
  for (const { process } of opened) process.kill().catch(() => undefined)
  await server.close()
  await rm(scripts, { recursive: true })
}

async function play(): Promise<void> {
  for (let i = 0; i < browserCount; i++) opened.push(await openTab())
  const [first] = opened
  const url = await first!.page.evaluate(() => window.tab.create())
  first!.members = 1
  for (let i = 1; i < count; i++) {
    const tab = opened[i % browserCount]!
    await tab.page.evaluate(([to, name]) => window.tab.join(to!, name!), [url, `member ${i}`])
    tab.members++
    await together(`${i + 1} in one secured view`)
  }
  await sayAll("before")
  const gone = opened.pop()!
  await gone.process.kill()
  await together(`${members()} are left of ${count}, with a new key`)
  await sayAll("after")
  const security = (await look()).flatMap((seen) => seen.security)
  check(`nothing was reported: ${[...new Set(security)].join("; ")}`, security.length === 0)
}

function members(): number {
  return opened.reduce((sum, tab) => sum + tab.members, 0)
}

function look(): Promise<Seen[]> {
  return Promise.all(opened.map(({ page }) => page.evaluate(() => window.tab.look())))
}

async function together(what: string): Promise<void> {
  const seen = await until(what, async () => {
    const all = await look()
    const views = new Set(all.flatMap((each) => each.views))
    return views.size === 1 && [...views][0]!.endsWith(` secured ${members()}`) ? all : null
  })
  const direct = seen.flatMap(({ links }) => links.map((each) => each.direct)).sort((a, b) => a - b)
  console.log(`    direct links from ${direct[0]} to ${direct.at(-1)}`)
}

async function sayAll(about: string): Promise<void> {
  await Promise.all(opened.map(({ page }) => page.evaluate((topic) => window.tab.say(topic), about)))
  const heard = await until(`${about}: a message of each has reached all`, async () => {
    const texts = await Promise.all(opened.map(({ page }) => page.evaluate((topic) => window.tab.heard(topic), about)))
    return texts.flat().every((text) => text.split(",").length === members()) ? texts.flat() : null
  })
  check(`${about}: in one order`, new Set(heard).size === 1)
}

async function until<T>(what: string, seek: () => Promise<T | null>): Promise<T> {
  const sinceMs = performance.now()
  for (;;) {
    const found = await seek()
    const tookMs = performance.now() - sinceMs
    if (found !== null) {
      check(`${what} after ${(tookMs / 1000).toFixed(1)} s`, true)
      return found
    }
    if (tookMs > WITHIN_MS) {
      check(what, false)
      console.error(JSON.stringify(await look(), null, 1))
      throw new Error(`${what}: not within ${WITHIN_MS / 1000} s`)
    }
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
}

function check(what: string, holds: boolean): void {
  console.log(`${holds ? "yes" : "NO "} ${what}`)
  if (!holds) process.exitCode = 1
}

async function openTab(): Promise<Opened> {
  const started = await launchMortalChromium()
  const browser = await chromium.connect(started.wsEndpoint())
  const page = await browser.newPage()
  await page.goto(server.url)
  await page.waitForFunction(() => window.Tab !== undefined)
  await page.evaluate((mesh) => void (window.tab = new window.Tab(mesh)), meshMax)
  return { process: started, page, members: 0 }
}

async function bundle(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "keymoot-large-"))
  for (const name of ["page", "member-worker"]) {
    const bundled = await rolldown({
      input: { [name]: join(import.meta.dirname, `${name}.ts`) },
      platform: "browser",
      tsconfig: false,
      resolve: { conditionNames: ["keymoot-source", "browser", "import", "default"] },
      transform: { target: "es2023" },
    })
    await bundled.write({ dir: directory, format: "es", entryFileNames: "[name].js", codeSplitting: false })
    await bundled.close()
  }
  await writeFile(join(directory, "index.html"), `<!doctype html><script type="module" src="page.js"></script>`)
  return directory
}
