/** The commands of docs/self-hosting.md for backup and restore, tried with the program that they name. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join as joinPath } from "node:path"
import { expect, test } from "vitest"
import { createRoom, join, serve } from "../clients.ts"
import { freshDirectory } from "../files.ts"

const SQLITE = "/usr/bin/sqlite3"
if (!existsSync(SQLITE)) console.log(`Skipped: backup and restore. ${SQLITE} is not installed.`)

test.skipIf(!existsSync(SQLITE))("a backup made while the server runs brings its conferences back", async () => {
  const dataDir = freshDirectory()
  const running = await serve({ dataDir })
  const client = await join(running.url)
  const id = await createRoom(client)
  const copy = joinPath(freshDirectory(), "keymoot.db")
  execFileSync(SQLITE, [joinPath(dataDir, "keymoot.db"), `.backup ${copy}`])
  const later = await createRoom(client)
  await running.close()

  // As on a fresh machine: a server that has started once, and then gets the copy in place of its own database.
  const restored = freshDirectory()
  await (await serve({ dataDir: restored })).close()
  const database = joinPath(restored, "keymoot.db")
  execFileSync("rm", ["-f", `${database}-wal`, `${database}-shm`])
  execFileSync("cp", [copy, database])
  const visitor = await join((await serve({ dataDir: restored })).url)
  expect((await visitor.ask("conference:get", { id })).ok).toBe(true)
  expect(await visitor.ask("conference:get", { id: later })).toMatchObject({ code: "unknown-conference" })
  await createRoom(visitor)
})
