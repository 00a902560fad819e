import { describe, expect, test } from "vitest"
import { openSqliteStore } from "../src/store/sql-store.ts"
import { bytesOf, freshHex } from "./clients.ts"
import { freshDirectory } from "./files.ts"

const conference = (id: string, text = "descriptor", expiresAtMs = 1_000) => ({
  id,
  descriptor: bytesOf(text),
  expiresAtMs,
})

describe("the store", () => {
  test("gives back what was stored before it was closed and opened again", async () => {
    const directory = freshDirectory()
    const before = await openSqliteStore(directory, 10)
    const id = freshHex()
    expect(await before.createConference(conference(id, "kept"))).toBe("created")
    await before.close()

    const after = await openSqliteStore(directory, 10)
    expect(await after.findDescriptor(id, 0)).toEqual(bytesOf("kept"))
    await after.close()
  })

  test("keeps every byte value of a descriptor", async () => {
    const store = await openSqliteStore(undefined, 10)
    const descriptor = Uint8Array.from({ length: 256 }, (_, value) => value)
    const id = freshHex()
    await store.createConference({ id, descriptor, expiresAtMs: 1 })
    expect(await store.findDescriptor(id, 0)).toEqual(descriptor)
    await store.close()
  })

  test("takes an id once, even for the same descriptor, and keeps the first", async () => {
    const store = await openSqliteStore(undefined, 10)
    const id = freshHex()
    await store.createConference(conference(id, "first"))
    expect(await store.createConference(conference(id, "first"))).toBe("exists")
    expect(await store.createConference(conference(id, "second"))).toBe("exists")
    expect(await store.findDescriptor(id, 0)).toEqual(bytesOf("first"))
    await store.close()
  })

  test("gives an id to one of two who create it at the same time", async () => {
    const store = await openSqliteStore(undefined, 10)
    const id = freshHex()
    const outcomes = await Promise.all([
      store.createConference(conference(id, "one")),
      store.createConference(conference(id, "two")),
    ])
    expect(outcomes.toSorted()).toEqual(["created", "exists"])
    await store.close()
  })

  test("forgets a conference at its expiry, and its bytes at the next purge", async () => {
    const store = await openSqliteStore(undefined, 2)
    const [short, long] = [freshHex(), freshHex()]
    await store.createConference(conference(short, "short", 100))
    await store.createConference(conference(long, "long", 200))

    expect(await store.findDescriptor(short, 99)).toEqual(bytesOf("short"))
    expect(await store.findDescriptor(short, 100)).toBeUndefined()
    expect(await store.hasConference(short, 99)).toBe(true)
    expect(await store.hasConference(short, 100)).toBe(false)
    expect(await store.createConference(conference(freshHex()))).toBe("full")

    expect(await store.purgeExpired(100)).toBe(1)
    expect(await store.purgeExpired(100)).toBe(0)
    expect(await store.findDescriptor(long, 100)).toEqual(bytesOf("long"))
    expect(await store.createConference(conference(freshHex()))).toBe("created")
    await store.close()
  })

  test("lets two processes share one file", async () => {
    const directory = freshDirectory()
    const [one, two] = [await openSqliteStore(directory, 10), await openSqliteStore(directory, 10)]
    const id = freshHex()
    expect(await one.createConference(conference(id))).toBe("created")
    expect(await two.createConference(conference(id))).toBe("exists")
    expect(await two.hasConference(id, 0)).toBe(true)
    await one.close()
    await two.close()
  })
})
