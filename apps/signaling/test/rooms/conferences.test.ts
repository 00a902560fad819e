import { randomBytes } from "node:crypto"
import { DatabaseSync } from "node:sqlite"
import { join as joinPath } from "node:path"
import {
  CONFERENCE_LIFETIME_MS_MAX,
  CONFERENCE_MEMBERS_MAX,
  DESCRIPTOR_BYTES_MAX,
} from "@keymoot/transport/signaling-protocol"
import { describe, expect, test } from "vitest"
import { person, prove } from "../certificates.ts"
import { createRoom, creation, freshHex, inAnHour, join, putForward, serve, until } from "../clients.ts"
import { freshDirectory } from "../files.ts"

describe("a creator", () => {
  test("stores a descriptor that somebody else gets by its id, over either transport", async () => {
    const { url } = await serve()
    const descriptor = new Uint8Array(DESCRIPTOR_BYTES_MAX).fill(0xa5)
    const request = creation(descriptor)
    const { id } = request
    const creator = await join(url, "polling")
    const guest = await join(url, "websocket")
    expect(await creator.ask("conference:create", request)).toEqual({ ok: true })
    const found = await guest.ask("conference:get", { id })
    expect(found.ok && new Uint8Array(found.descriptor)).toEqual(descriptor)
  })

  test("cannot store a descriptor twice", async () => {
    const { url } = await serve()
    const client = await join(url)
    const request = creation()
    expect(await client.ask("conference:create", request)).toEqual({ ok: true })
    expect(await client.ask("conference:create", request)).toMatchObject({ ok: false, code: "conference-exists" })
  })

  test("cannot store another descriptor under a conference's id, not even after expiry", async () => {
    const { url } = await serve({}, { purgeIntervalMs: 20 })
    let client = await join(url)
    const trap = { ...creation(), id: await createRoom(client) }
    expect(await client.ask("conference:create", trap)).toMatchObject({ ok: false, code: "bad-request" })
    putForward(Date, 3_700_000)
    client = await join(url)
    expect(await client.ask("conference:get", { id: trap.id })).toMatchObject({ code: "unknown-conference" })
    const later = { ...trap, expiresAtMs: Date.now() + 3_600_000 }
    expect(await client.ask("conference:create", later)).toMatchObject({ ok: false, code: "bad-request" })
    expect(await client.ask("conference:get", { id: trap.id })).toMatchObject({ code: "unknown-conference" })
  })

  test("cannot reserve an id before its conference is made", async () => {
    const { url } = await serve()
    const client = await join(url)
    const honest = creation()
    const squatter = { ...creation(), id: honest.id }
    expect(await client.ask("conference:create", squatter)).toMatchObject({ ok: false, code: "bad-request" })
    expect(await client.ask("conference:create", honest)).toEqual({ ok: true })
  })

  test("is refused an expiry in the past or beyond a year and a day", async () => {
    const { url } = await serve()
    const client = await join(url)
    for (const expiresAtMs of [Date.now() - 1, Date.now() + CONFERENCE_LIFETIME_MS_MAX + 60_000]) {
      const request = { ...creation(), expiresAtMs }
      expect(await client.ask("conference:create", request)).toMatchObject({ ok: false, code: "bad-request" })
    }
  })

  test("may name as many people as a roster holds", async () => {
    const { url } = await serve()
    const client = await join(url)
    await prove(client, person("Ada"), url, "participant:add")
    const members = Array.from({ length: CONFERENCE_MEMBERS_MAX }, () => freshHex() + freshHex())
    const roster = { members, startsAtMs: Date.now(), endsAtMs: inAnHour() - 1_000 }
    const keys = { verifier: randomBytes(32), creatorKey: randomBytes(32) }
    const request = { ...creation(randomBytes(DESCRIPTOR_BYTES_MAX)), ...keys, roster }
    expect(await client.ask("conference:create", request)).toEqual({ ok: true })
  })

  test("is refused when the storage is full, and may create again after expiries", async () => {
    const { url } = await serve({}, { conferencesMax: 1, purgeIntervalMs: 20 })
    let client = await join(url)
    const first = { ...creation(), expiresAtMs: Date.now() + 20_000 }
    expect(await client.ask("conference:create", first)).toEqual({ ok: true })
    const create = () => client.ask("conference:create", creation())
    expect(await create()).toMatchObject({ ok: false, code: "storage-full" })
    putForward(Date, 20_001)
    client = await join(url)
    expect(await client.ask("conference:get", { id: first.id })).toMatchObject({ code: "unknown-conference" })
    await until(async () => expect(await create()).toEqual({ ok: true }), 500)
  })

  test("hears that the storage failed, and the server continues", async () => {
    const dataDir = freshDirectory()
    const { url } = await serve({ dataDir })
    const client = await join(url)
    const saboteur = new DatabaseSync(joinPath(dataDir, "keymoot.db"))
    saboteur.exec("ALTER TABLE conference RENAME TO hidden")
    const request = creation()
    const { id } = request
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
