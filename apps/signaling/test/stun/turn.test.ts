import { createHmac } from "node:crypto"
import { expect, test } from "vitest"
import { LIMITS } from "../../src/bounds/limits.ts"
import { createRoom, enterRoom, freshHex, join, serve } from "../clients.ts"

const turn = {
  urls: ["turn:turn.example.org:3478?transport=udp", "turns:turn.example.org"],
  secret: "only for this test",
}

async function someoneInRoom(config = {}, limits = {}) {
  const { url } = await serve(config, limits)
  const room = await createRoom(await join(url))
  return { url, room, alice: await enterRoom(url, room) }
}

test("gives a room's member TURN credentials that the TURN server accepts for an hour", async () => {
  const { alice, room } = await someoneInRoom({ turn })
  const reply = await alice.ask("ice:servers", { room })
  if (!reply.ok) throw new Error(reply.code)
  const { username, credential } = reply.turn!
  expect(reply).toMatchObject({ stun: [], turn: { urls: turn.urls, lifetimeMs: 3_600_000 } })
  const [expiry, pseudonym] = username.split(":")
  expect(Math.abs(Number(expiry) - Date.now() / 1000 - 3600)).toBeLessThan(120)
  expect(pseudonym).toMatch(/^[0-9a-f]{24}$/u)
  expect(credential).toBe(createHmac("sha1", turn.secret).update(username).digest("base64"))
})

test("gives one TURN user per address, also when it asks or connects again", async () => {
  const { alice, room, url } = await someoneInRoom({ turn, trustedProxies: 1 })
  const userOf = async (client: Pick<typeof alice, "ask">) => {
    const reply = await client.ask("ice:servers", { room })
    return reply.ok ? reply.turn?.username.split(":")[1] : reply.code
  }
  const user = await userOf(alice)
  expect(user).toMatch(/^[0-9a-f]{24}$/u)
  expect(await userOf(alice)).toBe(user)
  expect(await userOf(await enterRoom(url, room))).toBe(user)
  const elsewhere = await join(url, "websocket", { "X-Forwarded-For": "203.0.113.7" })
  await elsewhere.ask("room:enter", { room, address: freshHex() })
  expect(await userOf(elsewhere)).not.toBe(user)
})

test("refuses credentials to a client in no room", async () => {
  const { url, room } = await someoneInRoom({ turn })
  const stranger = await join(url)
  expect(await stranger.ask("ice:servers", { room })).toMatchObject({ ok: false, code: "not-in-room" })
})

test("names no server when there is none", async () => {
  const { alice, room } = await someoneInRoom()
  expect(await alice.ask("ice:servers", { room })).toEqual({ ok: true, stun: [] })
})

test("limits how often one connection asks, and nothing else of it", async () => {
  const { alice, room } = await someoneInRoom(
    { turn },
    { requestsOf: { ...LIMITS.requestsOf, "ice:servers": { burst: 2, perSecond: 0.001 } } },
  )
  const ask = () => alice.ask("ice:servers", { room })
  expect([(await ask()).ok, (await ask()).ok]).toEqual([true, true])
  expect(await ask()).toMatchObject({ ok: false, code: "rate-limited" })
  expect(await alice.ask("conference:get", { id: room })).toMatchObject({ ok: true })
})
