import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { type RunningServer, startServer } from "@keymoot/signaling"
import { afterEach, expect, test } from "vitest"

let server: RunningServer | null = null
afterEach(() => server?.close())

test("a process ends when its identities are closed: no socket, peer or timer is left", async () => {
  server = await startServer({ port: 0 })
  const script = new URL("./visiting-process.ts", import.meta.url).pathname
  const args = ["--conditions=keymoot-source", script, server.url]
  // Killed by the time-out it would fail.
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 150_000 })
  expect(stdout).toBe("closed\n")
})
