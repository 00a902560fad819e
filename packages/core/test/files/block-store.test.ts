import "fake-indexeddb/auto"
import { mkdir, mkdtemp, readdir, rm, rmdir, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest"
import { createBrowserBlockStore } from "../../src/device/stores/browser-block-store.ts"
import {
  type BlockStore,
  CONFERENCE_FILES_BYTES_MAX,
  createMemoryBlockStore,
} from "../../src/device/stores/block-store.ts"
import { createFileBlockStore } from "../../src/node/file-block-store.ts"

let directory = ""
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "keymoot-blocks-"))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

let stores = 0
const kinds: Readonly<Record<string, () => BlockStore>> = {
  memory: () => createMemoryBlockStore(),
  browser: () => createBrowserBlockStore(`blocks-${++stores}`),
  file: () => createFileBlockStore(join(directory, `${++stores}`)),
}

describe.each(Object.keys(kinds))("blocks kept in %s", (kind) => {
  const block = (fill: number): Uint8Array => new Uint8Array(100).fill(fill)

  test("come back in their places, each file for itself", async () => {
    const store = kinds[kind]!()
    expect(await store.count("c", "f")).toBe(0)
    for (let i = 0; i < 3; i++) await store.append("c", "f", i, block(i))
    await store.append("c", "other", 0, block(9))
    expect(await store.count("c", "f")).toBe(3)
    expect(await store.read("c", "f", 2)).toEqual(block(2))
    expect(await store.read("c", "f", 3)).toBeNull()
    expect(await store.read("d", "f", 0)).toBeNull()
  })

  test("are gone when their file, or their conference, is forgotten, and no others", async () => {
    const store = kinds[kind]!()
    for (const [conference, file] of [
      ["c", "f"],
      ["c", "g"],
      ["d", "f"],
      ["d2", "f"],
    ] as const) {
      await store.append(conference, file, 0, block(1))
    }
    await store.remove("c", "f")
    expect(await store.count("c", "f")).toBe(0)
    expect(await store.count("c", "g")).toBe(1)
    await store.forget("d")
    expect(await store.count("d", "f")).toBe(0)
    expect(await store.count("d2", "f")).toBe(1)
    expect((await store.list()).sort()).toEqual(["c", "d2"])
    await store.append("c", "f", 0, block(2))
    expect(await store.read("c", "f", 0)).toEqual(block(2))
  })
})

test("room is the conference's remaining bound if storage outlasts the page, else none", async () => {
  for (const kind of ["browser", "file"]) {
    const store = kinds[kind]!()
    expect(await store.room("c")).toBe(CONFERENCE_FILES_BYTES_MAX)
    await store.append("c", "f", 0, new Uint8Array(100))
    expect(await store.room("c")).toBe(CONFERENCE_FILES_BYTES_MAX - 100)
    expect(await store.room("d")).toBe(CONFERENCE_FILES_BYTES_MAX)
  }
  expect(await kinds["memory"]!().room("c")).toBe(0)
})

test("leaves no file that counts when writing a block fails, or after a crash", async () => {
  const path = join(directory, `${++stores}`)
  const store = createFileBlockStore(path)
  await store.append("c", "f", 0, new Uint8Array(10))
  const conference = join(path, (await readdir(path))[0]!)
  const folder = join(
    conference,
    (await readdir(conference)).find((name) => name !== "id")!,
  )
  const before = await store.room("c")
  await mkdir(join(folder, "1"))
  await expect(store.append("c", "f", 1, new Uint8Array(100))).rejects.toMatchObject({ code: "EISDIR" })
  expect((await readdir(folder)).toSorted()).toEqual(["0", "1"])
  expect(await store.room("c")).toBe(before)
  await rmdir(join(folder, "1"))
  await writeFile(join(folder, `2.${crypto.randomUUID()}`), new Uint8Array(100))
  expect(await createFileBlockStore(path).room("c")).toBe(before)
  expect(await readdir(folder)).toEqual(["0"])
})

test("in a browser it is no more than what the browser gives this site", async () => {
  const store = kinds["browser"]!()
  const estimate = vi.fn().mockResolvedValue({ quota: 1000, usage: 400 })
  vi.stubGlobal("navigator", { storage: { estimate } })
  onTestFinished(() => void vi.unstubAllGlobals())
  expect(await store.room("c")).toBe(600)
  estimate.mockResolvedValue({ quota: 1000, usage: 1400 })
  expect(await store.room("c")).toBe(0)
})

test("in memory a conference's files have a bound; what is there stays", async () => {
  const store = createMemoryBlockStore(250)
  await store.append("c", "f", 0, new Uint8Array(200))
  await expect(store.append("c", "f", 1, new Uint8Array(100))).rejects.toThrow("250 bytes")
  expect(await store.count("c", "f")).toBe(1)
  await store.append("d", "f", 0, new Uint8Array(200))
})
