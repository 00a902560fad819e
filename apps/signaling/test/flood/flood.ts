import { fork } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { type HonestFigures, honestPeople } from "./honest.ts"
import { observed, withServer } from "./loaded-server.ts"

const FLOODERS = fileURLToPath(new URL("flooders.ts", import.meta.url))

export interface FloodFigures extends HonestFigures {
  /** Requests of the flooders, counted by answer. */
  readonly requests: Readonly<Record<string, number>>
  readonly goodbyes: Readonly<Record<string, number>>
  readonly refusedConnections: number
  readonly receivedBytes: number
  readonly serverCpuSeconds: number
  readonly rssMiB: number
}

/**
 * A server in a process of its own, flooders in another, and honest people here. The server takes all of them for clients
 * of a proxy. So flooders share few network addresses, and each honest person has one.
 */
export function flood(sockets: number, seconds: number): Promise<FloodFigures> {
  return withServer(async (url) => {
    const people = await honestPeople(url)
    const flooders = fork(FLOODERS, [url, String(sockets)], { execArgv: ["--conditions=keymoot-source"] })
    await once(flooders, "message")
    await sleep(seconds * 1000)
    flooders.kill("SIGKILL")
    const figures = await people.leave()
    return { ...figures, ...(await observed(url)) }
  })
}
