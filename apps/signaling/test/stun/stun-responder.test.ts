/** The embedded STUN server over real sockets, and its URLs in answers to clients. */
import { randomBytes } from "node:crypto"
import { createSocket, type Socket } from "node:dgram"
import { once } from "node:events"
import { findService, howToInstall, startRedis } from "@keymoot/tools"
import { describe, expect, onTestFinished, test } from "vitest"
import type { ServerConfig } from "../../src/config.ts"
import type { Limits } from "../../src/bounds/limits.ts"
import { SourceRates } from "../../src/stun/source-rates.ts"
import { createRoom, enterRoom, join, serve, until } from "../clients.ts"

const TOKEN = "a-token-of-a-test"
const STUN = { port: 0, host: "127.0.0.1", names: ["127.0.0.1"] }

function request(): Uint8Array {
  return Buffer.concat([Buffer.from("000100002112a442", "hex"), randomBytes(12)])
}

/** The URLs that this server announces to a member in a room. */
async function toldUrls(url: string): Promise<readonly string[]> {
  const room = await createRoom(await join(url))
  const reply = await (await enterRoom(url, room)).ask("ice:servers", { room })
  if (!reply.ok) throw new Error(reply.code)
  return reply.stun
}

function portOf(url: string | undefined): number {
  return Number(/:(\d+)$/u.exec(url ?? "")?.[1])
}

interface Asking {
  readonly socket: Socket
  readonly answers: Uint8Array[]
  send(bytes: Uint8Array): Promise<unknown>
}

/** A client's socket at `host`, connected to that port of the same host. */
async function asking(port: number, host = "127.0.0.1"): Promise<Asking> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4")
  onTestFinished(() => void socket.close())
  const answers: Uint8Array[] = []
  socket.on("message", (answer) => answers.push(answer))
  // Nobody listens yet, or any more.
  socket.on("error", () => {})
  socket.connect(port, host)
  await once(socket, "connect")
  return { socket, answers, send: (bytes) => new Promise((done) => socket.send(bytes, done)) }
}

/** Repeats a request until it is answered: datagrams may be lost. */
async function answered(client: Asking): Promise<Uint8Array> {
  const before = client.answers.length
  await until(async () => {
    await client.send(request())
    expect(client.answers.length).toBeGreaterThan(before)
  })
  return client.answers[before]!
}

async function serveStun(config: ServerConfig = {}, limits: Partial<Limits> = {}) {
  const { url } = await serve({ stun: STUN, metricsToken: TOKEN, ...config }, limits)
  const outcomes = async () => {
    const report = await (await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } })).text()
    const counted = report.matchAll(/^keymoot_stun_requests_total\{outcome="(\w+)"\} (\d+)$/gmu)
    return Object.fromEntries([...counted].map(([, outcome, count]) => [outcome, Number(count)]))
  }
  return { url, outcomes, port: portOf((await toldUrls(url))[0]) }
}

describe("the embedded STUN server", () => {
  test("tells a client its address and port", async () => {
    const client = await asking((await serveStun()).port)
    const answer = Buffer.from(await answered(client))
    expect(answer.toString("hex")).toMatch(/^0101000c2112a442[0-9a-f]{24}002000080001[0-9a-f]{4}5e12a443$/u)
    expect(answer.readUInt16BE(26) ^ 0x2112).toBe(client.socket.address().port)
  })

  test("answers IPv4 and IPv6 on one port when it listens everywhere", async () => {
    const { port } = await serveStun({ stun: { ...STUN, host: "::" } })
    const [ipv4, ipv6] = [await answered(await asking(port)), await answered(await asking(port, "::1"))]
    expect([ipv4.length, ipv6.length]).toEqual([32, 44])
    expect([ipv4[25], ipv6[25]]).toEqual([1, 2])
  })

  test("survives garbage, and counts it", async () => {
    const { port, outcomes } = await serveStun()
    const client = await asking(port)
    for (let bytes = 0; bytes < 64; bytes++) await client.send(randomBytes(bytes))
    await client.send(randomBytes(20_000))
    await until(async () => expect((await outcomes())["malformed"]).toBe(65))
    expect(client.answers).toEqual([])
    await answered(client)
  })

  // STUN_BURST and STUN_PER_SECOND, made smaller.
  test("answers a flood of ten times the rate within the rate only", async () => {
    const stunPerNetwork = { burst: 20, perSecond: 0 }
    const { port, outcomes } = await serveStun({}, { stunPerNetwork })
    const [client, neighbour] = [await asking(port), await asking(port)]
    for (let count = 0; count < 10 * stunPerNetwork.burst; count++) await client.send(request())
    await until(async () => expect(await outcomes()).toEqual({ answered: 20, refused: 180, malformed: 0 }))
    await until(() => expect(client.answers).toHaveLength(20))
    await neighbour.send(request())
    await until(async () => expect((await outcomes())["refused"]).toBe(181))
    expect(neighbour.answers).toEqual([])
  })

  test("answers all networks together within the total", async () => {
    const { port, outcomes } = await serveStun({ addressScale: 100 }, { stunTotal: { burst: 5, perSecond: 0 } })
    const client = await asking(port)
    for (let count = 0; count < 50; count++) await client.send(request())
    await until(async () => expect(await outcomes()).toEqual({ answered: 5, refused: 45, malformed: 0 }))
  })
})

describe("the rates of sources", () => {
  const rate = (burst: number) => ({ burst, perSecond: 0 })

  test("count an IPv4 /24 and an IPv6 /64 as one, and others apart", () => {
    const config = { perNetwork: rate(1), total: rate(100), networksMax: 100 }
    const taken = (...addresses: readonly string[]) => {
      const rates = new SourceRates(config, 0)
      return addresses.map((address) => rates.take(address, 0))
    }
    expect(taken("192.0.2.1", "192.0.2.254", "::ffff:192.0.2.7", "192.0.3.1")).toEqual([true, false, false, true])
    expect(taken("2001:db8::1", "2001:db8::ffff:0:0:1", "2001:db8:0:1::1")).toEqual([true, false, true])
  })

  test("do not let what one network is refused count against the others", () => {
    const rates = new SourceRates({ perNetwork: rate(2), total: rate(4), networksMax: 100 }, 0)
    for (let count = 0; count < 40; count++) rates.take("192.0.2.1", 0)
    expect([rates.take("198.51.100.1", 0), rates.take("203.0.113.1", 0)]).toEqual([true, true])
    expect(rates.take("100.64.0.1", 0)).toBe(false)
  })

  test("hold with ten times as many forged networks as they remember", () => {
    const networksMax = 50
    const rates = new SourceRates({ perNetwork: rate(1), total: rate(200), networksMax }, 0)
    const forged = Array.from({ length: 10 * networksMax }, (_, i) => `10.${i >> 8}.${i & 255}.1`)
    expect(forged.filter((address) => rates.take(address, 0))).toHaveLength(200)
    // At least half as many are remembered, and the first ones are evicted.
    const fresh = new SourceRates({ perNetwork: rate(1), total: rate(1_000), networksMax }, 0)
    for (const address of forged) fresh.take(address, 0)
    expect(fresh.take(forged.at(-networksMax / 2)!, 0)).toBe(false)
    expect(fresh.take(forged[0]!, 0)).toBe(true)
  })
})

describe("what clients are told", () => {
  test("is the server's own URL for each of its names, and then the operator's", async () => {
    const stun = { ...STUN, names: ["meet.example", "[2001:db8::1]"] }
    const { url } = await serve({ stun, stunUrls: ["stun:stun.example.org"] })
    const told = await toldUrls(url)
    const port = portOf(told[0])
    expect(told).toEqual([`stun:meet.example:${port}`, `stun:[2001:db8::1]:${port}`, "stun:stun.example.org"])
    await answered(await asking(port))
  })

  test("is the operator's URL instead where it is set", async () => {
    const { url } = await serve({ stun: { ...STUN, url: "stun:udp.example:7" } })
    expect(await toldUrls(url)).toEqual(["stun:udp.example:7"])
  })

  test("has no own URL while another program has the port, until it ends", async () => {
    const occupant = createSocket("udp4").bind(0, "127.0.0.1")
    await once(occupant, "listening")
    const { port } = occupant.address()
    const { url } = await serve({ stun: { ...STUN, port } }, { stunRetryMs: 20 })
    expect(await toldUrls(url)).toEqual([])
    occupant.close()
    await until(async () => expect(await toldUrls(url)).toEqual([`stun:127.0.0.1:${port}`]))
    await answered(await asking(port))
  })
})

const missing = findService("redis-server") === null
if (missing) console.log(`Skipped: STUN of several processes. ${howToInstall("redis-server")}.`)

test.skipIf(missing)("one of several processes has the port, and another takes over when it ends", async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.kill())
  const first = await serve({ stun: STUN, redisUrl: redis.url })
  const told = await toldUrls(first.url)
  const port = portOf(told[0])
  const second = await serve({ stun: { ...STUN, port }, redisUrl: redis.url }, { stunRetryMs: 20 })
  expect(await toldUrls(second.url)).toEqual(told)
  const client = await asking(port)
  await answered(client)
  await first.close()
  await answered(client)
})
