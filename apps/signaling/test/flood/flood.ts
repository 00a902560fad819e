import { type ChildProcess, fork, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type HonestFigures, honestPeople } from "./honest.ts"

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url))
const FLOODERS = fileURLToPath(new URL("flooders.ts", import.meta.url))
const METRICS_TOKEN = "only-for-this-flood"

export interface FloodFigures extends HonestFigures {
  /** What flooders sent, by what became of it. */
  readonly requests: Readonly<Record<string, number>>
  readonly goodbyes: Readonly<Record<string, number>>
  readonly refusedConnections: number
  readonly receivedBytes: number
  readonly serverCpuSeconds: number
  readonly rssMiB: number
}

/**
 * A server in a process of its own, flooders in another, and honest people here. Everybody comes by way of a proxy, as far
 * as the server knows, so that flooders share few network addresses and each honest person has one.
 */
export async function flood(sockets: number, seconds: number): Promise<FloodFigures> {
  const dataDir = mkdtempSync(join(tmpdir(), "keymoot-flood-"))
  const server = startServer(dataDir)
  try {
    const url = await urlOf(server)
    const people = await honestPeople(url)
    const flooders = fork(FLOODERS, [url, String(sockets)], { execArgv: ["--conditions=keymoot-source"] })
    await once(flooders, "message")
    await sleep(seconds * 1000)
    flooders.kill("SIGKILL")
    const figures = await people.leave()
    return { ...figures, ...(await observed(url)) }
  } finally {
    if (server.exitCode === null && server.signalCode === null) {
      const exit = once(server, "exit")
      server.kill("SIGKILL")
      await exit
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function startServer(dataDir: string): ChildProcess {
  return spawn(process.execPath, ["--conditions=keymoot-source", MAIN], {
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      DATA_DIR: dataDir,
      WEB_DIR: "none",
      LOG_LEVEL: "error",
      TRUST_PROXY: "1",
      METRICS_TOKEN,
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

/** What the server counted itself. Fails when it is not there any more. */
async function observed(url: string) {
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
