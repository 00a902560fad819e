import { DatabaseSync } from "node:sqlite"
import { join as joinPath } from "node:path"
import { CONFERENCE_LIFETIME_MS_MAX, DESCRIPTOR_BYTES_MAX } from "@keymoot/transport/signaling-protocol"
import { describe, expect, test } from "vitest"
import { bytesOf, createRoom, freshHex, inAnHour, join, putForward, serve, until } from "./clients.ts"
import { freshDirectory } from "./files.ts"

describe("a creator", () => {
  test("stores a descriptor that somebody else gets by its id, over either transport", async () => {
    const { url } = await serve()
    const id = freshHex()
    const descriptor = new Uint8Array(DESCRIPTOR_BYTES_MAX).fill(0xa5)
    const creator = await join(url, "polling")
    const guest = await join(url, "websocket")
    expect(await creator.ask("conference:create", { id, descriptor, expiresAtMs: inAnHour() })).toEqual({ ok: true })
    const found = await guest.ask("conference:get", { id })
    expect(found.ok && new Uint8Array(found.descriptor)).toEqual(descriptor)
  })

  test("cannot take an id that is taken", async () => {
    const { url } = await serve()
    const client = await join(url)
    const id = await createRoom(client)
    const request = { id, descriptor: bytesOf("another"), expiresAtMs: inAnHour() }
    expect(await client.ask("conference:create", request)).toMatchObject({ ok: false, code: "conference-exists" })
  })

  test("is refused an expiry in the past or beyond a year and a day", async () => {
    const { url } = await serve()
    const client = await join(url)
    for (const expiresAtMs of [Date.now() - 1, Date.now() + CONFERENCE_LIFETIME_MS_MAX + 60_000]) {
      const request = { id: freshHex(), descriptor: bytesOf("x"), expiresAtMs }
      expect(await client.ask("conference:create", request)).toMatchObject({ ok: false, code: "bad-request" })
    }
  })

  test("hears that the storage is full, and may create again when conferences have expired", async () => {
    const { url } = await serve({}, { conferencesMax: 1, purgeIntervalMs: 20 })
    let client = await join(url)
    const first = { id: freshHex(), descriptor: bytesOf("x"), expiresAtMs: Date.now() + 20_000 }
    expect(await client.ask("conference:create", first)).toEqual({ ok: true })
    const create = () =>
      client.ask("conference:create", { id: freshHex(), descriptor: bytesOf("x"), expiresAtMs: inAnHour() })
    expect(await create()).toMatchObject({ ok: false, code: "storage-full" })
    putForward(Date, 20_001)
    client = await join(url)
    expect(await client.ask("conference:get", { id: first.id })).toMatchObject({ code: "unknown-conference" })
    await until(async () => expect(await create()).toEqual({ ok: true }), 500)
  })

  test("hears that the storage failed, and the server goes on", async () => {
    const dataDir = freshDirectory()
    const { url } = await serve({ dataDir })
    const client = await join(url)
    const saboteur = new DatabaseSync(joinPath(dataDir, "keymoot.db"))
    saboteur.exec("ALTER TABLE conference RENAME TO hidden")
    const id = freshHex()
    const request = { id, descriptor: bytesOf("x"), expiresAtMs: inAnHour() }
    expect(await client.ask("conference:create", request)).toMatchObject({ ok: false, code: "storage-failed" })
    expect(await client.ask("conference:get", { id })).toMatchObject({ ok: false, code: "storage-failed" })
    saboteur.exec("ALTER TABLE hidden RENAME TO conference")
    saboteur.close()
    expect(await client.ask("conference:create", request)).toEqual({ ok: true })
  })
})

test("a guest hears that a conference is unknown", async () => {
  const { url } = await serve()
  const guest = await join(url)
  expect(await guest.ask("conference:get", { id: freshHex() })).toMatchObject({ ok: false, code: "unknown-conference" })
})
