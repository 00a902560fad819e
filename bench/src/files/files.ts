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
import { figureOf, type Figure } from "../experiment/figure.ts"
import { measureRawChannel } from "./raw-channel.ts"

const MB = 1_000_000
const RAW_BYTES = 50 * MB
const SAMPLE_MS = 100
const PATIENCE_MS = 10 * 60_000

type Run = {
  readonly raw: number
  /** Processor time of all processes of both browsers. */
  readonly rawProcessorMs: number
  readonly processorMs: number
  readonly prepared: number
  readonly fetched: number
  readonly sender: number
  readonly receiver: number
}

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
    for (let run = 0; run < runs; run++) all.push(await once(server.url, browsers, path, bytes))
    return figuresOf(all, bytes)
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()))
    await server.close()
    await rm(directory, { recursive: true, force: true })
  }
}

function figuresOf(runs: readonly Run[], bytes: number): Figure[] {
  const experiment = "files"
  const of = `${bytes / MB} MB`
  const figure = (metric: string, unit: string, value: (run: Run) => number): Figure =>
    figureOf({ experiment, metric, unit }, runs.map(value))
  return [
    figure("raw data channel between the same pages, 16 KiB a message", "MB/s", ({ raw }) => raw),
    figure(`a file of ${of}, from pressing Save to all of it checked and kept`, "MB/s", ({ fetched }) => fetched),
    figure("the same, to the raw data channel of its run", "ratio", ({ fetched, raw }) => fetched / raw),
    figure("processor time of both browsers, 1 MB of it", "ms", ({ processorMs }) => processorMs),
    figure("processor time of both browsers, 1 MB over the raw data channel", "ms", (run) => run.rawProcessorMs),
    figure(`preparing it: reading, hashing and keeping a copy`, "MB/s", ({ prepared }) => prepared),
    figure("growth of the sender's page process, at most", "MB", ({ sender }) => sender),
    figure("growth of the receiver's page process, at most", "MB", ({ receiver }) => receiver),
  ]
}

async function once(url: string, [one, two]: readonly [Browser, Browser], path: string, bytes: number): Promise<Run> {
  const contexts = [await one.newContext(), await two.newContext()] as const
  try {
    const { ada, bob } = await meet(url, contexts)
    const [raw, rawMs] = await withProcessorMs([one, two], () => measureRawChannel(ada, bob, RAW_BYTES))
    const [sender, receiver] = [await watchMemory(one), await watchMemory(two)]
    const preparing = performance.now()
    const chosen = ada.getByRole("tabpanel", { name: "Chat" }).locator("input[type=file]")
    await chosen.setInputFiles(path)
    await bob.getByRole("button", { name: "Save long.bin" }).waitFor({ timeout: PATIENCE_MS })
    const prepared = rate(bytes, preparing)
    const [fetched, fetchedMs] = await withProcessorMs([one, two], () => fetchIn(bob, bytes))
    return {
      raw: raw / MB,
      rawProcessorMs: rawMs / (RAW_BYTES / MB),
      processorMs: fetchedMs / (bytes / MB),
      prepared,
      fetched,
      sender: await sender(),
      receiver: await receiver(),
    }
  } finally {
    await Promise.all(contexts.map((context) => context.close()))
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
