import "fake-indexeddb/auto"
import { mkdir, mkdtemp, readdir, rename, rm, rmdir, truncate, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { createBrowserCopyStore } from "../../src/device/stores/browser-copy-store.ts"
import { createMemoryCopyStore } from "../../src/device/stores/memory-copy-store.ts"
import { LocalCopy } from "../../src/device/stores/local-copy.ts"
import { type CopyStore, COPIES_BYTES_MAX, COPY_BYTES_MAX, overBound } from "../../src/device/stores/copy-store.ts"
import { createFileCopyStore } from "../../src/node/file-copy-store.ts"

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values)
const owner = new Uint8Array(32).fill(7)
const CONFERENCE = "ab".repeat(16)
const directory = (): Promise<string> => mkdtemp(join(tmpdir(), "keymoot-copies-"))

const stores: Record<string, () => Promise<CopyStore>> = {
  memory: async () => createMemoryCopyStore(),
  browser: async () => createBrowserCopyStore(`copies ${Math.random()}`),
  files: async () => createFileCopyStore(await directory()),
}

describe.each(Object.entries(stores))("a copy store in %s", (_, open) => {
  test("gives the records of a part back in their order, and no other's", async () => {
    const store = await open()
    await store.key("one")
    await store.key("two")
    await store.append("one", "board", bytes(1))
    await store.append("one", "log", bytes(9))
    await store.append("two", "board", bytes(8))
    await store.append("one", "board", bytes(2, 3))
    expect(await store.read("one", "board")).toEqual([bytes(1), bytes(2, 3)])
    await store.replace("one", "board", bytes(4))
    await store.append("one", "board", bytes(5))
    expect(await store.read("one", "board")).toEqual([bytes(4), bytes(5)])
    expect(await store.read("one", "log")).toEqual([bytes(9)])
    expect(await store.read("two", "board")).toEqual([bytes(8)])
  })

  test("has neither key nor records of a forgotten copy, and refuses writes to it", async () => {
    const store = await open()
    const key = await store.key("one")
    await store.key("two")
    await store.append("one", "board", bytes(1))
    expect((await store.list()).sort()).toEqual(["one", "two"])
    await store.forget("one")
    expect(await store.list()).toEqual(["two"])
    for (const how of ["append", "replace"] as const) {
      await expect(store[how]("one", "board", bytes(2))).rejects.toThrow("deleted")
    }
    expect(await store.read("one", "board")).toEqual([])
    const [iv, secret] = [new Uint8Array(12), bytes(1, 2, 3)]
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, secret as BufferSource)
    const another = await store.key("one")
    await expect(crypto.subtle.decrypt({ name: "AES-GCM", iv }, another, sealed)).rejects.toThrow()
  })

  test("keeps one key for a conference, of which a page cannot read the bytes", async () => {
    const store = await open()
    const [first, second] = [await store.key("one"), await store.key("one")]
    const iv = new Uint8Array(12)
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, first, bytes(1) as BufferSource)
    expect(new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, second, sealed))).toEqual(bytes(1))
    expect(second.extractable).toBe(false)
  })

  test("refuses what is above a conference's bound, and keeps what it had", async () => {
    const store = await open()
    await store.key("one")
    await store.append("one", "board", bytes(1))
    const huge = new Uint8Array(COPY_BYTES_MAX + 1)
    await expect(store.append("one", "board", huge)).rejects.toMatchObject({ name: "CopyFullError" })
    await expect(store.replace("one", "board", huge)).rejects.toMatchObject({ name: "CopyFullError" })
    expect(await store.read("one", "board")).toEqual([bytes(1)])
  })

  test("keeps so many bytes of a conference when ten times as many are written", async () => {
    const store = await open()
    await store.key("one")
    const piece = new Uint8Array(COPY_BYTES_MAX / 8)
    let refused = 0
    for (let written = 0; written < 10 * COPY_BYTES_MAX; written += piece.length) {
      await store.append("one", "board", piece).catch((error: Error) => {
        expect(error.name).toBe("CopyFullError")
        refused++
      })
    }
    const kept = (await store.read("one", "board")).reduce((sum, { length }) => sum + length, 0)
    expect(kept).toBeLessThanOrEqual(COPY_BYTES_MAX)
    expect(kept).toBeGreaterThan(COPY_BYTES_MAX / 2)
    expect(refused).toBe(80 - kept / piece.length)
  })

  test("holds ciphertext that opens for its own part and owner only", async () => {
    const store = await open()
    const copy = new LocalCopy(store, owner, CONFERENCE)
    const secret = new TextEncoder().encode("merger with Initech at 14:00")
    await Promise.all([copy.write("log", secret, "append"), copy.write("log", bytes(2), "append")])
    expect(await new LocalCopy(store, owner, CONFERENCE).read("log")).toEqual([secret, bytes(2)])
    const id = `${"07".repeat(32)}/${CONFERENCE}`
    const [record] = await store.read(id, "log")
    expect(Buffer.from(record!).includes("Initech")).toBe(false)
    await store.append(id, "document/board", record!)
    expect(await copy.read("document/board")).toEqual([])
    expect(await new LocalCopy(store, new Uint8Array(32), CONFERENCE).read("log")).toEqual([])
    await Promise.all([copy.write("log", secret, "append"), copy.forget(), copy.write("log", secret, "append")])
    expect(await new LocalCopy(store, owner, CONFERENCE).read("log")).toEqual([])
  })

  test("stays forgotten when a read that failed before is retried", async () => {
    const store = await open()
    await new LocalCopy(store, owner, CONFERENCE).write("log", bytes(1), "append")
    let works = false
    const key = (id: string) => (works ? store.key(id) : Promise.reject(new Error("no database")))
    const copy = new LocalCopy({ ...store, key }, owner, CONFERENCE)
    await expect(copy.read("log")).rejects.toThrow("no database")
    works = true
    await copy.forget()
    expect(await copy.read("log")).toEqual([])
    expect(await store.list()).toEqual([])
  })
})

test("a crash in the middle of an append costs that record only", async () => {
  const path = await directory()
  const store = createFileCopyStore(path)
  await store.key("one")
  await store.append("one", "board", bytes(1, 2, 3))
  await store.append("one", "board", bytes(4, 5, 6))
  const [folder] = await readdir(path)
  const [file] = (await readdir(join(path, folder!))).filter((name) => name !== "key")
  await truncate(join(path, folder!, file!), 12)
  const again = createFileCopyStore(path)
  expect(await again.read("one", "board")).toEqual([bytes(1, 2, 3)])
  await again.append("one", "board", bytes(7))
  expect(await again.read("one", "board")).toEqual([bytes(1, 2, 3), bytes(7)])
})

test("takes records that can't be read for no empty part", async () => {
  const path = await directory()
  const store = createFileCopyStore(path)
  await store.key("one")
  await store.append("one", "board", bytes(1, 2, 3))
  const folder = join(path, (await readdir(path))[0]!)
  const file = join(
    folder,
    (await readdir(folder)).find((name) => name !== "key" && name !== "id")!,
  )
  await rename(file, `${file} aside`)
  await mkdir(file)
  const again = createFileCopyStore(path)
  await expect(again.read("one", "board")).rejects.toMatchObject({ code: "EISDIR" })
  await rmdir(file)
  await rename(`${file} aside`, file)
  expect(await again.read("one", "board")).toEqual([bytes(1, 2, 3)])
})

test("appends a record behind a partial one when nobody has read the part", async () => {
  const path = await directory()
  const store = createFileCopyStore(path)
  await store.key("one")
  await store.append("one", "board", bytes(1, 2, 3))
  await store.append("one", "board", bytes(4, 5, 6))
  const folder = join(path, (await readdir(path))[0]!)
  const file = (await readdir(folder)).find((name) => name !== "key" && name !== "id")!
  await truncate(join(folder, file), 12)
  const again = createFileCopyStore(path)
  await again.append("one", "board", bytes(7))
  expect(await again.read("one", "board")).toEqual([bytes(1, 2, 3), bytes(7)])
})

test("leaves no temporary file when a replacement fails, nor after a crash during one", async () => {
  const path = await directory()
  const store = createFileCopyStore(path)
  await store.key("one")
  await store.append("one", "board", bytes(1, 2, 3))
  const folder = join(path, (await readdir(path))[0]!)
  const names = (await readdir(folder)).toSorted()
  const file = join(
    folder,
    names.find((name) => name !== "key" && name !== "id")!,
  )
  await rm(file)
  await mkdir(file)
  await expect(store.replace("one", "board", bytes(4))).rejects.toMatchObject({ code: "EISDIR" })
  expect((await readdir(folder)).toSorted()).toEqual(names)
  await writeFile(`${file}.${crypto.randomUUID()}`, bytes(5))
  await createFileCopyStore(path).key("one")
  expect((await readdir(folder)).toSorted()).toEqual(names)
})

test("evicts the one used longest ago, and never the one in use", () => {
  const size = (conferenceId: string, usedAtMs: number) => ({ conferenceId, usedAtMs, bytes: COPIES_BYTES_MAX / 2 })
  expect(overBound([size("b", 2), size("a", 1)], "a")).toEqual([])
  expect(overBound([size("c", 3), size("b", 2), size("a", 1)], "c")).toEqual(["a"])
  expect(overBound([size("c", 3), size("b", 2), size("a", 1)], "a")).toEqual(["b"])
})
