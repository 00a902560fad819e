import { findService, howToInstall, type Redis, startRedis } from "@keymoot/tools"
import { pino } from "pino"
import { Server } from "socket.io"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { sharesOf } from "../src/addresses/addresses.ts"
import { LIMITS } from "../src/bounds/limits.ts"
import { openCluster, RECOVERIES } from "../src/cluster/cluster.ts"
import { freshHex, until } from "./clients.ts"

const missing = findService("redis-server") === null
if (missing) console.log(`Skipped: recoveries. ${howToInstall("redis-server")}.`)

let redis: Redis
beforeAll(async () => {
  if (!missing) redis = await startRedis()
})
afterAll(() => redis?.kill())

describe.skipIf(missing)("a lost connection", () => {
  test("is recovered after strangers have named sessions that nobody had", async () => {
    const cluster = await openCluster(redis.url, sharesOf(LIMITS, 1), 30_000, pino({ enabled: false }))
    const { adapter } = new Server(cluster.options).of("/")
    onTestFinished(async () => {
      await adapter.close()
      await cluster.close()
    })
    const [sid, pid] = [freshHex(), freshHex()]
    const data = ["what it has read"]
    adapter.broadcast({ type: 2, nsp: "/", data } as never, { rooms: new Set(), except: new Set(), flags: {} } as never)
    await until(() => expect(data).toHaveLength(2))
    adapter.persistSession({ sid, pid, rooms: [], data: {} })

    const forged = Array.from({ length: 2 * RECOVERIES.burst }, () => adapter.restoreSession(freshHex(), "1-0"))
    const outcomes = await Promise.allSettled([...forged, adapter.restoreSession(pid, data[1]!)])
    const recovered = { status: "fulfilled", value: expect.objectContaining({ sid, pid }) }
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toEqual([recovered])
  })
})
