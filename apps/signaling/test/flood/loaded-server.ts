import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url))
const METRICS_TOKEN = "only-for-this-load"

/** Stops the server, leaves it down for so long, and resolves when it is ready again, with its data. */
type Restart = (downMs: number) => Promise<void>

/** Runs a server in a process of its own, behind a proxy as far as it knows. The server and its data go afterwards. */
export async function withServer<T>(
  run: (url: string, restart: Restart) => Promise<T>,
  settings: Readonly<Record<string, string>> = {},
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), "keymoot-load-"))
  let server = startServer(dataDir, settings)
  try {
    const url = await urlOf(server)
    const restart: Restart = async (downMs) => {
      await end(server, "SIGTERM")
      await sleep(downMs)
      server = startServer(dataDir, { ...settings, PORT: new URL(url).port })
      await urlOf(server)
    }
    return await run(url, restart)
  } finally {
    await end(server, "SIGKILL")
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function end(server: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const exit = once(server, "exit")
  server.kill(signal)
  await exit
}

function startServer(dataDir: string, settings: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, ["--conditions=keymoot-source", MAIN], {
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      DATA_DIR: dataDir,
      WEB_DIR: "none",
      LOG_LEVEL: "error",
      TRUST_PROXY: "1",
      METRICS_TOKEN,
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit"],
  })
}

async function urlOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error("the server has no output")
  for await (const line of createInterface({ input: server.stdout })) {
    const url = /^Keymoot is ready at (http\S+)$/u.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error("The server ended before it was ready: its reason stands above.")
}

/** Counters of the server. Fails when it is not there any more. */
export async function observed(url: string) {
  const response = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
  const lines = (await response.text()).split("\n")
  const sums = (metric: string, label: string) => {
    const sum: Record<string, number> = {}
    for (const line of lines.filter((text) => text.startsWith(`${metric}{`))) {
      const value = new RegExp(`${label}="([^"]*)"`, "u").exec(line)?.[1] ?? ""
      sum[value] = (sum[value] ?? 0) + Number(line.split(" ").at(-1))
    }
    return sum
  }
  const single = (metric: string) =>
    Number(
      lines
        .find((line) => line.startsWith(`${metric} `))
        ?.split(" ")
        .at(-1),
    )
  const refused = sums("keymoot_connections_refused_total", "why")
  return {
    requests: sums("keymoot_requests_total", "outcome"),
    goodbyes: sums("keymoot_goodbyes_total", "why"),
    refusedConnections: Object.values(refused).reduce((sum, count) => sum + count, 0),
    receivedBytes: sums("keymoot_bytes_total", "direction")["in"] ?? 0,
    serverCpuSeconds: single("process_cpu_seconds_total"),
    rssMiB: single("process_resident_memory_bytes") / 1024 / 1024,
  }
}
