/** The server repeats an advertisement to everybody in a room. Plays a network address at ten times what it may cause so. */
import { describe, expect, test } from "vitest"
import { FAN_OUT_BYTES_BURST, FAN_OUT_BYTES_PER_SECOND, LIMITS } from "../../src/bounds/limits.ts"
import { type Client, createRoom, enter, freshHex, join, serve, until } from "../clients.ts"

const ATTACKER = "192.0.2.1"
const RECEIVERS = 9
const BYTES = 1_000
const PASSED = 4
const fanOut = { burst: PASSED * (RECEIVERS + 1) * BYTES, perSecond: 0.001 }

async function room() {
  const { url } = await serve({ trustedProxies: 1 }, { fanOut })
  const from = (network: string) => join(url, "websocket", { "X-Forwarded-For": network })
  const id = await createRoom(await from("192.0.2.250"))
  const member = async (network: string, address = freshHex()) => {
    const client = await from(network)
    expect(await enter(client, id, address)).toEqual({ ok: true })
    return { ...client, address }
  }
  const receivers = await Promise.all(Array.from({ length: RECEIVERS }, () => member(ATTACKER)))
  const advertise = (client: Client) => client.ask("room:advertise", { room: id, advertisement: new Uint8Array(BYTES) })
  return { id, member, receivers, advertise }
}

describe("a network address at ten times the bound", () => {
  test("has so many bytes repeated to a room, over however many connections", async () => {
    const { member, receivers, advertise } = await room()
    const sender = await member(ATTACKER)
    const replies = await Promise.all(Array.from({ length: 10 * PASSED }, () => advertise(sender)))
    expect(replies.filter(({ ok }) => ok).length).toBe(PASSED)
    expect(await advertise(receivers[0]!)).toMatchObject({ ok: false, code: "rate-limited" })
    for (const { advertisements } of receivers) await until(() => expect(advertisements.length).toBe(PASSED))
  })

  test("has so many bytes of signals passed on, and leaves others theirs", async () => {
    const { id, member, receivers, advertise } = await room()
    const sender = await member(ATTACKER)
    const count = PASSED * (RECEIVERS + 1)
    const signal = { room: id, to: receivers[0]!.address, envelope: new Uint8Array(BYTES) }
    const replies = await Promise.all(Array.from({ length: 10 * count }, () => sender.ask("signal", signal)))
    expect(replies.filter(({ ok }) => ok).length).toBe(count)
    expect(await sender.ask("signal", signal)).toMatchObject({ ok: false, code: "rate-limited" })
    const other = await member("192.0.2.2")
    expect(await other.ask("signal", signal)).toEqual({ ok: true })
    expect(await advertise(other)).toEqual({ ok: true })
  })
})

test("has the documents' bound when no other is set", () => {
  expect(LIMITS.fanOut).toEqual({ burst: FAN_OUT_BYTES_BURST, perSecond: FAN_OUT_BYTES_PER_SECOND })
})
