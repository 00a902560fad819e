import { afterEach, expect, test, vi } from "vitest"
import * as Y from "yjs"
import { type Clocks, DocumentCopy, RETRY_MS, RETRY_MS_MAX } from "../../src/client/documents/document-copy.ts"
import type { EngineConnection } from "../../src/client/connection/engine-connection.ts"

afterEach(() => void vi.useRealTimers())

type Write = { readonly bytes: Uint8Array; readonly how: "append" | "replace" }

/** A device that stores records while it works. */
function device(...records: Uint8Array[]) {
  const disk = { records, reads: true, writes: true, calls: 0, writeCalls: 0 }
  const call = async (name: string, { bytes, how }: Write): Promise<unknown> => {
    disk.calls++
    if (name === "copy.read" && !disk.reads) throw new Error("no database")
    if (name === "copy.read") return [...disk.records]
    disk.writeCalls++
    if (disk.writes) disk.records = how === "replace" ? [bytes] : [...disk.records, bytes]
    return disk.writes
  }
  return { disk, connection: { call } as unknown as EngineConnection }
}

const drawn = (key: string): Uint8Array => {
  const doc = new Y.Doc()
  doc.getMap("elements").set(key, 1)
  return Y.encodeStateAsUpdate(doc)
}

const stored = (records: readonly Uint8Array[]): object => {
  const doc = new Y.Doc()
  for (const record of records) Y.applyUpdate(doc, record)
  return doc.getMap("elements").toJSON()
}

function opened(doc: Y.Doc, connection: EngineConnection) {
  const announced: Clocks[] = []
  const restored = { take: (clocks: Clocks) => void announced.push(clocks) }
  return { announced, copy: new DocumentCopy({ doc, name: "board", conference: "c0", connection, restored }) }
}

test("replaces no record that could not be read", async () => {
  vi.useFakeTimers()
  const { disk, connection } = device(drawn("before"))
  Object.assign(disk, { reads: false, writes: false })
  const doc = new Y.Doc()
  const { copy } = opened(doc, connection)
  doc.getMap("elements").set("meanwhile", 1)
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  disk.writes = true
  // The second wait is twice as long.
  await vi.advanceTimersByTimeAsync(2 * RETRY_MS)
  expect(stored(disk.records)).toEqual({ before: 1, meanwhile: 1 })
  expect(doc.getMap("elements").toJSON()).toEqual({ meanwhile: 1 })
  disk.reads = true
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(doc.getMap("elements").toJSON()).toEqual({ before: 1, meanwhile: 1 })
  doc.getMap("elements").set("after", 1)
  await vi.advanceTimersByTimeAsync(0)
  expect(stored(disk.records)).toEqual({ before: 1, meanwhile: 1, after: 1 })
  copy.close()
})

test("is complete only when a read that failed has been repeated", async () => {
  vi.useFakeTimers()
  const { disk, connection } = device(drawn("before"))
  disk.reads = false
  const doc = new Y.Doc()
  const { copy } = opened(doc, connection)
  const seen: unknown[] = []
  void copy.complete.then(() => seen.push(doc.getMap("elements").toJSON()))
  await copy.restored
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(seen).toEqual([])
  disk.reads = true
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(seen).toEqual([{ before: 1 }])
  copy.close()
})

test("is complete with what it has when it closes before a read", async () => {
  const { disk, connection } = device(drawn("before"))
  disk.reads = false
  const doc = new Y.Doc()
  const { copy } = opened(doc, connection)
  await copy.restored
  copy.close()
  await copy.complete
  expect(doc.getMap("elements").toJSON()).toEqual({})
})

test("stores each change at once when only reads fail", async () => {
  vi.useFakeTimers()
  const { disk, connection } = device(drawn("before"))
  disk.reads = false
  const doc = new Y.Doc()
  const { copy } = opened(doc, connection)
  for (const key of ["a", "b"]) {
    doc.getMap("elements").set(key, 1)
    await copy.settled
    expect(stored(disk.records)).toHaveProperty(key)
  }
  disk.reads = true
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(doc.getMap("elements").toJSON()).toEqual({ before: 1, a: 1, b: 1 })
  copy.close()
})

test("announces deletions that only the copy holds when it is read late", async () => {
  vi.useFakeTimers()
  const theirs = new Y.Doc()
  theirs.getMap("elements").set("a", 1)
  const before = Y.encodeStateAsUpdate(theirs)
  theirs.getMap("elements").delete("a")
  const { disk, connection } = device(Y.encodeStateAsUpdate(theirs))
  disk.reads = false
  const doc = new Y.Doc()
  Y.applyUpdate(doc, before)
  const { announced, copy } = opened(doc, connection)
  await vi.advanceTimersByTimeAsync(0)
  disk.reads = true
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(doc.getMap("elements").toJSON()).toEqual({})
  expect(announced).toEqual([new Map()])
  copy.close()
})

test("announces nothing when the document has what the copy holds", async () => {
  const content = drawn("a")
  const doc = new Y.Doc()
  Y.applyUpdate(doc, content)
  const { announced, copy } = opened(doc, device(content).connection)
  await copy.restored
  expect(announced).toEqual([])
  copy.close()
})

test.each(["reads", "writes"] as const)("retries nothing after its end when %s fail", async (what) => {
  vi.useFakeTimers()
  const { disk, connection } = device()
  disk[what] = false
  const doc = new Y.Doc()
  const { copy } = opened(doc, connection)
  doc.getMap("elements").set("a", 1)
  await copy.settled
  const { calls } = disk
  copy.close()
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(disk.calls).toBe(calls)
})

test("writes less and less often when the storage stays full, and as before afterwards", async () => {
  vi.useFakeTimers()
  const { disk, connection } = device()
  disk.writes = false
  const doc = new Y.Doc()
  const { copy } = opened(doc, connection)
  doc.getMap("elements").set("a", 1)
  await vi.advanceTimersByTimeAsync(10 * 60_000)
  expect(disk.writeCalls).toBeGreaterThan(5)
  expect(disk.writeCalls).toBeLessThanOrEqual(10)
  disk.writes = true
  await vi.advanceTimersByTimeAsync(RETRY_MS_MAX)
  expect(stored(disk.records)).toEqual({ a: 1 })
  disk.writes = false
  doc.getMap("elements").set("b", 1)
  await vi.advanceTimersByTimeAsync(0)
  disk.writes = true
  await vi.advanceTimersByTimeAsync(RETRY_MS)
  expect(stored(disk.records)).toEqual({ a: 1, b: 1 })
  copy.close()
})

test("leaves no observer on the document after its end", () => {
  const doc = new Y.Doc()
  const { copy } = opened(doc, device().connection)
  expect(doc._observers.get("update")?.size).toBe(1)
  copy.close()
  expect(doc._observers.get("update")?.size ?? 0).toBe(0)
})
