import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runInNewContext } from "node:vm"
import { expect, onTestFinished, test } from "vitest"
import { withEarlyEngine, writeEarlyEngine } from "../build/earlyEngine.ts"

const MODULE = 'import{t}from"./runtime-1.js";import("./later.js")'

async function built(...names: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "keymoot-early-"))
  onTestFinished(() => rm(directory, { recursive: true }))
  await mkdir(join(directory, "assets"))
  for (const name of names) await writeFile(join(directory, "assets", name), MODULE)
  return directory
}

/** Paths that the browser loads at this address. */
async function loadedAt(pathname: string, controller: object | null): Promise<string[]> {
  const directory = await built("engine-ab_1.js", "other-engine-2.js")
  const code = await readFile(join(directory, await writeEarlyEngine(directory)), "utf8")
  const loaded: string[] = []
  const fetch = (path: string): Promise<never> => {
    loaded.push(path)
    return Promise.reject(new Error("no network"))
  }
  runInNewContext(code, { location: { pathname }, navigator: { serviceWorker: { controller } }, fetch })
  return loaded
}

test("loads the engine and what it imports at the address of a conference", async () => {
  expect(await loadedAt("/c/1", null)).toEqual(["/assets/engine-ab_1.js", "/assets/runtime-1.js"])
})

test("loads nothing on other pages, or when a service worker has the files", async () => {
  expect(await loadedAt("/", null)).toEqual([])
  expect(await loadedAt("/c/1", {})).toEqual([])
})

test("refuses a build without an engine, or with two", async () => {
  await expect(writeEarlyEngine(await built("main-1.js"))).rejects.toThrow(/exactly one/u)
  await expect(writeEarlyEngine(await built("engine-1.js", "engine-2.js"))).rejects.toThrow(/exactly one/u)
})

test("precedes all other modules of the page", () => {
  const page = withEarlyEngine('<head><script type="module" src="/assets/main.js"></script></head>', "/assets/early.js")
  expect(page.indexOf("/assets/early.js")).toBeLessThan(page.indexOf("/assets/main.js"))
  expect(() => withEarlyEngine("<head></head>", "/assets/early.js")).toThrow(/no module/u)
})
