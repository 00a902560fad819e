/** A file from one real browser to another on this machine, and the raw data channel between the same pages. */
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { launch } from "@keymoot/e2e"
import { startServer } from "@keymoot/signaling"
import type { Browser, Page } from "@playwright/test"
import { WEB_APP } from "../browsers/browser-needed.ts"
import { processorSeconds } from "../browsers/processor.ts"
import { Unavailable } from "../experiment/experiment.ts"
import type { Figure } from "../experiment/figure.ts"
import { figuresOf, MB, type Run } from "./figures.ts"
import { measureRawChannel } from "./raw-channel.ts"

/** Not counted: browsers start processes and compile in the first one. */
const WARM_UP_RUNS = 1
const SAMPLE_MS = 100
const PATIENCE_MS = 10 * 60_000

/** @throws Unavailable on a system that does not tell how much memory a process has */
export async function files(runs: number, bytes: number): Promise<Figure[]> {
  if (process.platform !== "linux")
    throw new Unavailable("files: the memory of a browser is read from /proc, which Linux has.")
  const directory = await mkdtemp(join(tmpdir(), "keymoot-bench-"))
  const server = await startServer({ webDir: WEB_APP })
  const browsers = [await launch("chromium"), await launch("chromium")] as const
  try {
    const path = join(directory, "long.bin")
    await writeFile(path, new Uint8Array(0))
    await truncate(path, bytes)
    const all: Run[] = []
    for (let run = -WARM_UP_RUNS; run < runs; run++) {
      const result = await once(server.url, browsers, path, bytes, run % 2 === 0)
      if (run >= 0) all.push(result)
    }
    return figuresOf(all, bytes)
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()))
    await server.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** @param isRawFirst runs take turns: the second of two finds a warm machine, or one that other work has taken */
async function once(
  url: string,
  browsers: readonly [Browser, Browser],
  path: string,
  bytes: number,
  isRawFirst: boolean,
): Promise<Run> {
  const contexts = [await browsers[0].newContext(), await browsers[1].newContext()] as const
  try {
    const { ada, bob } = await meet(url, contexts)
    const measureRaw = () => withProcessorMs(browsers, () => measureRawChannel(ada, bob, bytes))
    const before = isRawFirst ? await measureRaw() : null
    const file = await sendFile(browsers, ada, bob, path, bytes)
    const [raw, rawMs] = before ?? (await measureRaw())
    return { raw: raw / MB, rawProcessorMs: rawMs / (bytes / MB), ...file }
  } finally {
    await Promise.all(contexts.map((context) => context.close()))
  }
}

async function sendFile(
  browsers: readonly [Browser, Browser],
  ada: Page,
  bob: Page,
  path: string,
  bytes: number,
): Promise<Omit<Run, "raw" | "rawProcessorMs">> {
  const [sender, receiver] = [await watchMemory(browsers[0]), await watchMemory(browsers[1])]
  const preparing = performance.now()
  const chosen = ada.getByRole("tabpanel", { name: "Chat" }).locator("input[type=file]")
  await chosen.setInputFiles(path)
  await bob.getByRole("button", { name: "Save long.bin" }).waitFor({ timeout: PATIENCE_MS })
  const prepared = rate(bytes, preparing)
  const [fetched, fetchedMs] = await withProcessorMs(browsers, () => fetchIn(bob, bytes))
  return {
    processorMs: fetchedMs / (bytes / MB),
    prepared,
    fetched,
    sender: await sender(),
    receiver: await receiver(),
  }
}

/**
 * MB/s by the page's own clock: from the press to the words that it is here. The saving that follows is the browser's.
 */
async function fetchIn(page: Page, bytes: number): Promise<number> {
  const ms = await page.evaluate(async () => {
    const log = document.querySelector("[role=log]")!
    const done = new Promise<void>((resolve) => {
      const look = () => log.textContent?.includes("is here") && resolve()
      new MutationObserver(look).observe(log, { subtree: true, childList: true, characterData: true })
    })
    const begun = performance.now()
    document.querySelector<HTMLButtonElement>("button[aria-label='Save long.bin']")!.click()
    await done
    return performance.now() - begun
  })
  return bytes / MB / (ms / 1000)
}

async function withProcessorMs<T>(browsers: readonly Browser[], act: () => Promise<T>): Promise<readonly [T, number]> {
  const sum = async (): Promise<number> => {
    const times = await Promise.all(browsers.map(processorSeconds))
    return 1000 * times.reduce((all, each) => all + each, 0)
  }
  const before = await sum()
  const result = await act()
  return [result, (await sum()) - before]
}

async function meet(url: string, [first, second]: readonly [Context, Context]) {
  await first.grantPermissions(["clipboard-read", "clipboard-write"])
  const ada = await first.newPage()
  await ada.goto(url)
  await ada.getByLabel("Your name").fill("Ada")
  await ada.getByRole("button", { name: "Start a conference" }).click()
  await ada.getByRole("button", { name: "Copy link" }).click()
  const bob = await second.newPage()
  await bob.goto(await ada.evaluate(() => navigator.clipboard.readText()))
  await bob.getByLabel("Your name").fill("Bob")
  await bob.getByRole("button", { name: "Join", exact: true }).click()
  for (const page of [ada, bob]) {
    await page.getByText("2 people can read this").waitFor()
    // Otherwise the board's remaining loads would count as growth.
    await page.locator("canvas.interactive").waitFor()
  }
  return { ada, bob }
}
type Context = Awaited<ReturnType<Browser["newContext"]>>

/** Watches all page processes of a browser. The result returns their largest growth in MB. */
async function watchMemory(browser: Browser): Promise<() => Promise<number>> {
  const session = await browser.newBrowserCDPSession()
  const sample = async (): Promise<number> => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo")
    const renderers = processInfo.filter(({ type }) => type === "renderer")
    const sizes = await Promise.all(renderers.map(({ id }) => residentBytes(id)))
    return sizes.reduce((sum, each) => sum + each, 0)
  }
  const before = await sample()
  let most = before
  const stop = new AbortController()
  const watched = (async () => {
    while (!stop.signal.aborted) {
      most = Math.max(most, await sample())
      await new Promise((done) => setTimeout(done, SAMPLE_MS))
    }
  })()
  return async () => {
    stop.abort()
    await watched
    await session.detach()
    return (most - before) / MB
  }
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "")
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/mu.exec(status)?.[1] ?? 0)
}

function rate(bytes: number, sinceMs: number): number {
  return bytes / MB / ((performance.now() - sinceMs) / 1000)
}
