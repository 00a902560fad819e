/** The server on a disk of its own that is really full: a small one in memory, which only its process sees. */
import { spawnSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { appendFileSync, rmSync } from "node:fs"
import { join as joinPath } from "node:path"
import { expect, test } from "vitest"
import { createRoom, creation, join } from "../clients.ts"
import { freshDirectory } from "../files.ts"
import { readyUrl, spawnServer } from "../processes.ts"

const DISK_BYTES = 2_000_000
/** Large enough that the disk is full after a few, whatever SQLite has reserved. */
const DESCRIPTOR_BYTES = 4_000
const BLOCK_BYTES = 4_096

const MOUNT = `mount -t tmpfs -o size=${DISK_BYTES} none "$DATA_DIR" && exec "$0" "$@"`
const onDisk = ["unshare", "--map-root-user", "--mount", "sh", "-c", MOUNT]

const probe = spawnSync("unshare", ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"])
const cannotMount = probe.status !== 0
if (cannotMount) console.log("Skipped: a full disk. This machine lets nobody mount one (unshare --mount).")

test.skipIf(cannotMount)("fails readiness on a full disk, names the cause, and recovers by itself", async () => {
  const directory = freshDirectory()
  const settings = { PORT: "0", DATA_DIR: directory, WEB_DIR: "none", LOG_LEVEL: "error" }
  const server = spawnServer(settings, [], [], onDisk)
  const url = await readyUrl(server)
  const readiness = async () => (await fetch(`${url}/readyz`)).status
  const client = await join(url)
  const stored = await createRoom(client)
  expect(await readiness()).toBe(200)

  const filler = joinPath(`/proc/${server.child.pid}/root`, directory, "filler")
  fill(filler)
  let request = creation(randomBytes(DESCRIPTOR_BYTES))
  let reply = await client.ask("conference:create", request)
  for (let tries = 0; reply.ok && tries < DISK_BYTES / DESCRIPTOR_BYTES; tries++) {
    request = creation(randomBytes(DESCRIPTOR_BYTES))
    reply = await client.ask("conference:create", request)
  }
  expect(reply).toMatchObject({ ok: false, code: "storage-failed" })
  expect(await readiness()).toBe(503)
  expect(await client.ask("conference:get", { id: stored })).toMatchObject({ ok: true })
  const log = (): string => server.output() + server.errors()
  // It comes through a pipe, and may be later than the reply.
  await expect.poll(log).toContain("database or disk is full")
  // The error of a second rollback.
  expect(log()).not.toMatch(/SQL logic error|no transaction is active/u)

  rmSync(filler)
  expect(await client.ask("conference:create", request)).toEqual({ ok: true })
  expect(await readiness()).toBe(200)
  expect(await client.ask("conference:get", { id: request.id })).toMatchObject({ ok: true })
})

/** Writes until the disk takes no further block. */
function fill(file: string): void {
  try {
    for (;;) appendFileSync(file, Buffer.alloc(BLOCK_BYTES))
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" })
  }
}
