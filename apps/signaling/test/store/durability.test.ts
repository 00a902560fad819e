import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { expect, onTestFinished, test } from "vitest"
import { openSqliteStore } from "../../src/store/sql-store.ts"
import { creation, bytesOf, join } from "../clients.ts"
import { freshDirectory } from "../files.ts"
import { readyUrl, spawnServer } from "../processes.ts"
import { BOUNDS } from "../stores.ts"

const KILLS = 4
const CREATORS = 3
const CREATIONS_EACH = 20

test("loses no acknowledged conference when the server is killed during creations", async () => {
  const dataDir = freshDirectory()
  const acknowledged = new Map<string, Uint8Array>()

  for (let kill = 1; kill <= KILLS; kill++) {
    const server = spawnServer({ PORT: "0", DATA_DIR: dataDir, WEB_DIR: "none", LOG_LEVEL: "warn" })
    const url = await readyUrl(server)
    const clients = await Promise.all(Array.from({ length: CREATORS }, () => join(url)))
    // Each round is killed at another moment, with writes on their way.
    const enough = acknowledged.size + kill * 10
    await new Promise<void>((done) => {
      for (const client of clients) {
        for (let count = 0; count < CREATIONS_EACH; count++) {
          const request = creation()
          client.socket.emit("conference:create", request, (reply: { ok: boolean }) => {
            if (reply.ok) acknowledged.set(request.id, request.descriptor)
            if (acknowledged.size >= enough) done()
          })
        }
      }
    })
    server.child.kill("SIGKILL")
    expect(await server.ended).toBe("SIGKILL")
  }

  const store = await openSqliteStore(dataDir, BOUNDS)
  for (const [id, descriptor] of acknowledged) {
    expect(await store.findConference(id, Date.now())).toEqual({ descriptor: Uint8Array.from(descriptor) })
  }
  await store.close()
  expect(acknowledged.size).toBeGreaterThanOrEqual(100)
})

const WRITER = fileURLToPath(new URL("writing-process.ts", import.meta.url))
/** `npm run test:deep` kills more often. */
const STORE_KILLS = Number(process.env["STORE_KILLS"] ?? 20)
const ACKNOWLEDGED_BETWEEN_KILLS = 100

test(`loses nothing acknowledged when the store is killed ${STORE_KILLS} times`, async () => {
  const dataDir = freshDirectory()
  const acknowledged: string[] = []
  for (let kill = 1; kill <= STORE_KILLS; kill++) {
    const child = spawn(process.execPath, ["--conditions=keymoot-source", WRITER, dataDir], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    const exit = once(child, "exit")
    // Each round is killed at another moment of a commit.
    const enough = acknowledged.length + ACKNOWLEDGED_BETWEEN_KILLS + ((kill * 37) % 64)
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(line)
      if (acknowledged.length === enough) child.kill("SIGKILL")
    }
    expect((await exit)[1]).toBe("SIGKILL")
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(STORE_KILLS * ACKNOWLEDGED_BETWEEN_KILLS)

  const store = await openSqliteStore(dataDir, { ...BOUNDS, conferencesMax: 1e6 })
  for (const line of acknowledged) {
    const [kind, id = ""] = line.split(" ")
    const fingerprint = createHash("sha256").update(id).digest("hex")
    if (kind === "participant") expect(await store.findCertificate(fingerprint, 0)).toEqual(bytesOf(id))
    else {
      expect(await store.findConference(id, 0)).toEqual({ descriptor: bytesOf(id) })
      expect((await store.listConferences(fingerprint, 0)).entries.map((entry) => entry.id)).toEqual([id])
    }
  }
  await store.close()
}, 300_000)
