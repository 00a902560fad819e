import { createHmac } from "node:crypto"
import { expect, test } from "vitest"
import { LIMITS } from "../src/limits.ts"
import { createRoom, enterRoom, freshHex, join, serve } from "./clients.ts"

const turn = {
  urls: ["turn:turn.example.org:3478?transport=udp", "turns:turn.example.org"],
  secret: "only for this test",
}

async function someoneInRoom(config = {}, limits = {}) {
  const { url } = await serve(config, limits)
  const room = await createRoom(await join(url))
  return { url, room, alice: await enterRoom(url, room) }
}

test("somebody in a room gets credentials that a TURN server with the same secret accepts for an hour", async () => {
  const { alice, room } = await someoneInRoom({ turn })
  const reply = await alice.ask("turn:credentials", { room })
  if (!reply.ok) throw new Error(reply.code)
  expect(reply).toMatchObject({ urls: turn.urls, lifetimeMs: 3_600_000 })
  const [expiry, pseudonym] = reply.username.split(":")
  expect(Math.abs(Number(expiry) - Date.now() / 1000 - 3600)).toBeLessThan(120)
  expect(pseudonym).toMatch(/^[0-9a-f]{24}$/u)
  expect(reply.credential).toBe(createHmac("sha1", turn.secret).update(reply.username).digest("base64"))
})

test("neither asking nor connecting again makes a second user of the TURN server, which another address is", async () => {
  const { alice, room, url } = await someoneInRoom({ turn, trustedProxies: 1 })
  const userOf = async (client: Pick<typeof alice, "ask">) => {
    const reply = await client.ask("turn:credentials", { room })
    return reply.ok ? reply.username.split(":")[1] : reply.code
  }
  const user = await userOf(alice)
  expect(user).toMatch(/^[0-9a-f]{24}$/u)
  expect(await userOf(alice)).toBe(user)
  expect(await userOf(await enterRoom(url, room))).toBe(user)
  const elsewhere = await join(url, "websocket", { "X-Forwarded-For": "203.0.113.7" })
  await elsewhere.ask("room:enter", { room, address: freshHex() })
  expect(await userOf(elsewhere)).not.toBe(user)
})

test("whoever is in no room gets none", async () => {
  const { url, room } = await someoneInRoom({ turn })
  const stranger = await join(url)
  expect(await stranger.ask("turn:credentials", { room })).toMatchObject({ ok: false, code: "not-in-room" })
})

test("a server without TURN says so", async () => {
  const { alice, room } = await someoneInRoom()
  expect(await alice.ask("turn:credentials", { room })).toMatchObject({ ok: false, code: "turn-unavailable" })
})

test("whoever asks without end is refused, and can do everything else", async () => {
  const { alice, room } = await someoneInRoom(
    { turn },
    { requestsOf: { ...LIMITS.requestsOf, "turn:credentials": { burst: 2, perSecond: 0.001 } } },
  )
  const ask = () => alice.ask("turn:credentials", { room })
  expect([(await ask()).ok, (await ask()).ok]).toEqual([true, true])
  expect(await ask()).toMatchObject({ ok: false, code: "rate-limited" })
  expect(await alice.ask("conference:get", { id: room })).toMatchObject({ ok: true })
})
