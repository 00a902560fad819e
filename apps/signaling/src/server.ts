import type { Server as HttpServer } from "node:http"
import type { Logger } from "pino"
import { LocalAddresses } from "./addresses.ts"
import { roomChannel } from "./channels.ts"
import type { Cluster } from "./cluster/cluster.ts"
import { conferenceHandlers } from "./conferences.ts"
import type { ServerConfig } from "./config.ts"
import type { SignalingServer } from "./connection.ts"
import { createHttp, listen, originsOf, urlOf } from "./http.ts"
import { LIMITS, type Limits } from "./limits.ts"
import { openLog } from "./log.ts"
import { noMetrics } from "./metrics.ts"
import { participantHandlers } from "./participants.ts"
import { openProbes } from "./probes.ts"
import { openPrometheus } from "./prometheus.ts"
import { relayHandlers } from "./relay.ts"
import { roomHandlers } from "./rooms.ts"
import { ServedApp } from "./served-app.ts"
import { shutDown } from "./shutdown.ts"
import { openSignaling } from "./signaling.ts"
import { openStore } from "./store/open.ts"
import { startPurging } from "./store/purging.ts"
import { turnHandlers } from "./turn.ts"
import { webListener } from "./web.ts"

export interface RunningServer {
  /** Without a trailing slash; names `localhost` when the server listens there. */
  readonly url: string
  /**
   * Says no at `/readyz` and takes no new connection, waits for `drainMs`, tells every connection and closes it, then
   * closes the database. What was acknowledged is stored.
   */
  close(): Promise<void>
}

/**
 * Starts directory, bootstrap and web app in this process.
 * @example const server = await startServer({ port: 0 })
 * @throws StartError when the port is taken, the web app is not built or the database cannot be opened
 */
export async function startServer(config: ServerConfig = {}, limits: Limits = LIMITS): Promise<RunningServer> {
  const log = openLog(config.logLevel ?? "silent")
  let draining = false
  const isDraining = () => draining
  const { metricsToken } = config
  let cluster: Cluster | undefined
  let signaling: SignalingServer | undefined
  const gauges = { connections: () => signaling?.engine.clientsCount ?? 0, rooms: () => roomCount(signaling) }
  const metrics = metricsToken === undefined ? noMetrics : await openPrometheus(gauges)
  const store = await openStore(config, limits, log)
  const { trustedProxies = 0, addressScale = 1 } = config
  let http: HttpServer
  try {
    cluster = await joinCluster(config.redisUrl, limits, log)
    const needs = { database: store.ping, ...(cluster === undefined ? {} : { Redis: cluster.ping }) }
    const probes = openProbes({ needs, metrics, metricsToken, isDraining })
    const app = config.webDir === undefined ? undefined : await ServedApp.open(config.webDir)
    http = createHttp(webListener(app, probes), limits)
    const addresses = cluster?.addresses ?? new LocalAddresses(limits.membersPerRoomMax)
    const surroundings = { cluster, addresses, limits, log, metrics, trustedProxies, addressScale, isDraining }
    signaling = openSignaling(http, surroundings, (addressOf) => ({
      ...participantHandlers(store, () => config.publicOrigins ?? originsOf(http)),
      ...conferenceHandlers(store),
      ...roomHandlers(store, addresses, limits),
      ...relayHandlers(limits, addressOf, addressScale),
      ...turnHandlers(config.turn, addressOf),
    }))
    await listen(http, config.port ?? 0, config.host ?? "127.0.0.1")
  } catch (error) {
    await signaling?.close()
    await cluster?.close()
    await store.close()
    throw error
  }
  const purging = await startPurging(store, limits.purgeIntervalMs, log, metrics)
  const parts = { http, signaling, cluster, store, metrics }
  const close = () => {
    draining = true
    clearInterval(purging)
    return shutDown(parts, config.drainMs ?? 0)
  }
  let closing: Promise<void> | undefined
  return { url: urlOf(http), close: () => (closing ??= close()) }
}

/** Loaded when asked for: a server of one process needs none of it. */
async function joinCluster(url: string | undefined, limits: Limits, log: Logger): Promise<Cluster | undefined> {
  return url === undefined ? undefined : (await import("./cluster/cluster.ts")).openCluster(url, limits, log)
}

function roomCount(signaling: SignalingServer | undefined): number {
  const channels = signaling?.of("/").adapter.rooms.keys() ?? []
  return [...channels].filter((name) => name.startsWith(roomChannel(""))).length
}
