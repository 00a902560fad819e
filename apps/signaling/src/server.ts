import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { FRAME_BYTES_MAX, SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import { destination, type Logger, pino } from "pino"
import { Server } from "socket.io"
import { conferenceHandlers } from "./conferences.ts"
import type { ServerConfig } from "./config.ts"
import type { Handlers, SignalingServer } from "./connection.ts"
import { openDoor } from "./door.ts"
import { LIMITS, type Limits } from "./limits.ts"
import { roomHandlers } from "./rooms.ts"
import { disconnectWhenUnread } from "./slow-readers.ts"
import { StartError } from "./start-error.ts"
import { openSqliteStore } from "./store/sql-store.ts"
import type { Store } from "./store/store.ts"
import { webListener } from "./web.ts"

/** A connection that has not answered a ping for this long is gone, and its addresses are free. */
const PING_INTERVAL_MS = 10_000
const PING_TIMEOUT_MS = 10_000
/** A connection that has not said what it wants is closed. */
const HANDSHAKE_TIMEOUT_MS = 10_000

export interface RunningServer {
  /** Without a trailing slash; names `localhost` when the server listens there. */
  readonly url: string
  /** Closes every connection, then the database. What was acknowledged is stored. */
  close(): Promise<void>
}

/**
 * Starts directory, bootstrap and web app in this process.
 * @example const server = await startServer({ port: 0 })
 * @throws StartError when the port is taken, the web app is not built or the database cannot be opened
 */
export async function startServer(config: ServerConfig = {}, limits: Limits = LIMITS): Promise<RunningServer> {
  const log = pino({ level: config.logLevel ?? "silent", base: null }, destination(2))
  const http = createServer(webListener(config.webDir))
  const store = await openStore(config.dataDir, limits)
  const signaling = openSignaling(http, store, limits, log)
  try {
    await listen(http, config.port ?? 0, config.host ?? "127.0.0.1")
  } catch (error) {
    await signaling.close()
    await store.close()
    throw error
  }
  const purging = await startPurging(store, limits.purgeIntervalMs, log)
  return {
    url: urlOf(http),
    close: async () => {
      clearInterval(purging)
      const closed = signaling.close()
      http.closeAllConnections()
      await closed
      await store.close()
    },
  }
}

function openSignaling(http: HttpServer, store: Store, limits: Limits, log: Logger): SignalingServer {
  const signaling: SignalingServer = new Server(http, {
    path: SIGNALING_PATH,
    serveClient: false,
    maxHttpBufferSize: FRAME_BYTES_MAX,
    pingInterval: PING_INTERVAL_MS,
    pingTimeout: PING_TIMEOUT_MS,
    connectTimeout: HANDSHAKE_TIMEOUT_MS,
    allowRequest: (_request, decide) => {
      const mayConnect = signaling.engine.clientsCount < limits.connectionsMax
      decide(mayConnect ? null : "The server is full.", mayConnect)
    },
  })
  const handlers: Handlers = { ...conferenceHandlers(store), ...roomHandlers(store, limits) }
  signaling.use((connection, next) => {
    connection.data = { entries: new Map() }
    next()
  })
  signaling.on("connection", (connection) => {
    disconnectWhenUnread(connection, limits.packetsUnreadMax, log)
    openDoor(connection, handlers, limits, log)
  })
  return signaling
}

async function openStore(dataDir: string | undefined, limits: Limits): Promise<Store> {
  try {
    return await openSqliteStore(dataDir, limits.conferencesMax)
  } catch (error) {
    throw new StartError(`The database in ${dataDir ?? "memory"} cannot be opened: ${String(error)}`, { cause: error })
  }
}

async function startPurging(store: Store, intervalMs: number, log: Logger): Promise<NodeJS.Timeout> {
  const purge = async () => {
    try {
      const count = await store.purgeExpired(Date.now())
      if (count > 0) log.info({ count }, "expired conferences were purged")
    } catch (error) {
      log.error({ err: error }, "the purge failed")
    }
  }
  await purge()
  return setInterval(() => void purge(), intervalMs).unref()
}

function listen(http: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((done, fail) => {
    http.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") {
        fail(new StartError(`Port ${port} is already in use: stop the program that uses it, or set PORT to another.`))
      } else {
        fail(new StartError(`The server cannot listen on ${host}, port ${port}: ${error.message}.`))
      }
    })
    http.listen(port, host, done)
  })
}

function urlOf(http: HttpServer): string {
  const { address, family, port } = http.address() as AddressInfo
  const everywhere = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(address)
  const host = everywhere ? "localhost" : family === "IPv6" ? `[${address}]` : address
  return `http://${host}:${port}`
}
