import { expect, test } from "vitest"
import { openSqliteStore } from "../src/store/sql-store.ts"
import { bytesOf, freshHex, inAnHour, join } from "./clients.ts"
import { freshDirectory } from "./files.ts"
import { readyUrl, spawnServer } from "./processes.ts"

const KILLS = 4
const CREATORS = 3
const CREATIONS_EACH = 20

test("a server killed while conferences are being created loses none that it acknowledged", async () => {
  const dataDir = freshDirectory()
  const acknowledged: string[] = []

  for (let kill = 1; kill <= KILLS; kill++) {
    const server = spawnServer({ PORT: "0", DATA_DIR: dataDir, WEB_DIR: "none", LOG_LEVEL: "warn" })
    const url = await readyUrl(server)
    const clients = await Promise.all(Array.from({ length: CREATORS }, () => join(url)))
    // Each round is killed at another moment, with writes on their way.
    const enough = acknowledged.length + kill * 10
    await new Promise<void>((done) => {
      for (const client of clients) {
        for (let count = 0; count < CREATIONS_EACH; count++) {
          const id = freshHex()
          const request = { id, descriptor: bytesOf(id), expiresAtMs: inAnHour() }
          client.socket.emit("conference:create", request, (reply: { ok: boolean }) => {
            if (reply.ok) acknowledged.push(id)
            if (acknowledged.length >= enough) done()
          })
        }
      }
    })
    server.child.kill("SIGKILL")
    expect(await server.ended).toBe("SIGKILL")
  }

  const store = await openSqliteStore(dataDir, 1_000)
  for (const id of acknowledged) expect(await store.findDescriptor(id, Date.now())).toEqual(bytesOf(id))
  await store.close()
  expect(acknowledged.length).toBeGreaterThanOrEqual(100)
})
