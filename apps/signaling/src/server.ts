import type { Server as HttpServer } from "node:http"
import type { Socket } from "node:net"
import { STUN_URLS_MAX } from "@keymoot/transport/signaling-protocol"
import type { Logger } from "pino"
import { type Shares, sharesOf } from "./addresses/addresses.ts"
import { roomChannel } from "./rooms/channels.ts"
import type { Cluster } from "./cluster/cluster.ts"
import { conferenceHandlers } from "./rooms/conferences.ts"
import type { ServerConfig } from "./config.ts"
import type { SignalingServer } from "./connection.ts"
import { iceHandlers } from "./ice-servers.ts"
import { createHttp, listen, originsOf, socketsOf, urlOf } from "./web/http.ts"
import { boundHttp } from "./web/http-budget.ts"
import { LIMITS, type Limits } from "./bounds/limits.ts"
import { LocalAddresses } from "./addresses/local-addresses.ts"
import { openLog } from "./log.ts"
import { noMetrics } from "./web/metrics.ts"
import { participantHandlers } from "./rooms/participants.ts"
import { openProbes } from "./web/probes.ts"
import { openPrometheus } from "./web/prometheus.ts"
import { relayHandlers } from "./rooms/relay.ts"
import { roomHandlers } from "./rooms/rooms.ts"
import { ServedApp } from "./web/served-app.ts"
import { shutDown } from "./shutdown.ts"
import { openSignaling } from "./signaling.ts"
import { type StorageQuota, storageQuota } from "./bounds/storage-quota.ts"
import { openStore } from "./store/open.ts"
import { startPurging } from "./store/purging.ts"
import type { Store } from "./store/store.ts"
import { openStun, type StunResponder } from "./stun/responder.ts"
import { stunUrlsOf } from "./stun/stun-config.ts"
import { webListener } from "./web/web.ts"

/**
 * A single process works without Redis. Two processes would put members of one conference into separate rooms, and
 * neither could notice.
 */
const POSTGRES_ALONE =
  "DATABASE_URL is set, and REDIS_URL is not: run no second process on this database, or set REDIS_URL for all of them."

export interface RunningServer {
  /** Without a trailing slash; names `localhost` when the server listens there. */
  readonly url: string
  /**
   * Fails `/readyz` and accepts no new connection, waits for `drainMs`, dismisses and closes every connection, then
   * closes the database. Every acknowledged write is stored.
   */
  close(): Promise<void>
}

/**
 * Starts directory, bootstrap and web app in this process.
 * @example const server = await startServer({ port: 0 })
 * @throws StartError when the port is taken, no web app is built or the database cannot be opened
 */
export async function startServer(config: ServerConfig = {}, limits: Limits = LIMITS): Promise<RunningServer> {
  const log = openLog(config.logLevel ?? "silent")
  let draining = false
  const isDraining = () => draining
  const { metricsToken } = config
  let cluster: Cluster | undefined
  let signaling: SignalingServer | undefined
  let stun: StunResponder | undefined
  const gauges = { connections: () => signaling?.engine.clientsCount ?? 0, rooms: () => roomCount(signaling) }
  const metrics = metricsToken === undefined ? noMetrics : await openPrometheus(gauges)
  const store = await openStore(config, limits, log)
  const { trustedProxies = 0, addressScale = 1 } = config
  const shares = sharesOf(limits, addressScale)
  let http: HttpServer
  let sockets: ReadonlySet<Socket>
  try {
    cluster = await joinCluster(config.redisUrl, shares, limits.redisAnswerMs, log)
    const needs = { database: store.ping, ...(cluster === undefined ? {} : { Redis: cluster.ping }) }
    const probes = openProbes({ needs, metrics, metricsToken, isDraining })
    const app = config.webDir === undefined ? undefined : await ServedApp.open(config.webDir, config.embedOrigins)
    http = createHttp(webListener(app, probes, config.publicOrigins ?? []), limits)
    sockets = socketsOf(http)
    const addresses = cluster?.addresses ?? new LocalAddresses(shares, limits.placeKeptMs)
    const surroundings = { cluster, addresses, limits, log, metrics, trustedProxies, addressScale, isDraining }
    signaling = openSignaling(http, surroundings, (addressOf) => ({
      ...directoryHandlers(store, storageQuota(limits, addressOf, addressScale), http, config, limits),
      ...roomHandlers({ store, addresses, limits, metrics, addressOf, addressScale }),
      ...relayHandlers(addresses, limits, addressOf, addressScale),
      ...iceHandlers(() => stunUrls(config, stun), config.turn, addressOf),
    }))
    boundHttp(http, limits, { trustedProxies, addressScale })
    if (config.stun !== undefined)
      stun = await openStun(config.stun, { limits, log, metrics, addressScale, isOneOfSeveral: cluster !== undefined })
    await listen(http, config.port ?? 0, config.host ?? "127.0.0.1")
  } catch (error) {
    await stun?.close()
    await signaling?.close()
    await cluster?.close()
    await store.close()
    throw error
  }
  if (config.databaseUrl !== undefined && config.redisUrl === undefined) log.warn(POSTGRES_ALONE)
  const purging = await startPurging(store, limits, log, metrics)
  const parts = { http, sockets, signaling, stun, cluster, store, metrics }
  const close = async () => {
    draining = true
    clearInterval(purging)
    log.info({ connections: gauges.connections() }, "stopping")
    await shutDown(parts, config.drainMs ?? 0)
    log.info("stopped")
  }
  log.info({ ...settingsOf(http, config), stunPort: stun?.port() ?? null }, "started")
  let closing: Promise<void> | undefined
  return { url: urlOf(http), close: () => (closing ??= close()) }
}

/** The settings that an operator checks first in the log. They contain no secret and no address. */
function settingsOf(http: HttpServer, config: ServerConfig) {
  return {
    port: Number(new URL(urlOf(http)).port),
    node: process.version,
    database: config.databaseUrl !== undefined ? "postgres" : config.dataDir !== undefined ? "sqlite" : "memory",
    redis: config.redisUrl !== undefined,
    turn: config.turn !== undefined,
    trustedProxies: config.trustedProxies ?? 0,
  }
}

/**
 * One of several processes that share a port answers for all. So each of them announces the URLs, whichever has the port.
 */
function stunUrls({ stun, stunUrls: others = [], redisUrl }: ServerConfig, responder: StunResponder | undefined) {
  if (stun === undefined) return others
  const port = responder?.port() ?? (redisUrl === undefined ? null : stun.port)
  return [...stunUrlsOf(stun, port), ...others].slice(0, STUN_URLS_MAX)
}

function directoryHandlers(
  store: Store,
  mayStore: StorageQuota,
  http: HttpServer,
  config: ServerConfig,
  { publishedMsMax }: Limits,
) {
  const origins = () => config.publicOrigins ?? originsOf(http)
  return { ...participantHandlers(store, mayStore, origins, publishedMsMax), ...conferenceHandlers(store, mayStore) }
}

/** Loaded lazily: a single-process server needs none of it. */
async function joinCluster(url: string | undefined, ...rest: [shares: Shares, answerMs: number, log: Logger]) {
  return url === undefined ? undefined : (await import("./cluster/cluster.ts")).openCluster(url, ...rest)
}

function roomCount(signaling: SignalingServer | undefined): number {
  const channels = signaling?.of("/").adapter.rooms.keys() ?? []
  return [...channels].filter((name) => name.startsWith(roomChannel(""))).length
}
