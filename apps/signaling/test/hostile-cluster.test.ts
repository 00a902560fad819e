/** Clients that attack the part of the server that joins several processes. */
import {
  findService,
  howToInstall,
  type Postgres,
  type Redis,
  type Service,
  startPostgres,
  startRedis,
} from "@keymoot/tools"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { bytesOf, createRoom, enterRoom, join, serve } from "./clients.ts"
import { readyUrl, spawnServer } from "./processes.ts"

const needed: readonly Service[] = ["redis-server", "postgres"]
const lacking = needed.find((service) => findService(service) === null)
const missing = lacking !== undefined
if (missing) console.log(`Skipped: attacks on several processes. ${howToInstall(lacking)}.`)

let redis: Redis
let postgres: Postgres
beforeAll(async () => {
  if (missing) return
  redis = await startRedis()
  postgres = await startPostgres()
})
afterAll(async () => {
  await redis?.kill()
  await postgres?.stop()
})

describe.skipIf(missing)("the receiver of a frame from another process", () => {
  test("ends no process when its answer is nested too deeply for Redis", async () => {
    const database = postgres.freshDatabase()
    const { url } = await serve({ databaseUrl: database, redisUrl: redis.url })
    const settings = { DATABASE_URL: database, REDIS_URL: redis.url, WEB_DIR: "none", PORT: "0" }
    const attacked = spawnServer(settings)
    const other = await readyUrl(attacked)
    const room = await createRoom(await join(url))
    const [sender, receiver, bystander] = [await enterRoom(url, room), await enterRoom(other, room), await join(other)]
    const nested = JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`) as unknown
    receiver.socket.on("relay", (_frame: unknown, answer: (said: unknown) => void) => answer(nested))
    const frame = { room, to: receiver.address, frame: bytesOf("x") }
    expect(await sender.ask("relay", frame)).toMatchObject({ ok: false, code: "relay-refused" })
    expect(await bystander.ask("conference:get", { id: room })).toMatchObject({ ok: true })
    expect(attacked.child.exitCode).toBe(null)
  })
})
