import type { IncomingMessage, Server as HttpServer, ServerResponse } from "node:http"
import { FRAME_BYTES_MAX, SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import type { Logger } from "pino"
import { Server } from "socket.io"
import type { Addresses } from "./addresses/addresses.ts"
import type { Cluster } from "./cluster/cluster.ts"
import type { Connection, Handlers, SignalingServer, Transport } from "./connection.ts"
import { serveRequests } from "./rooms/request-pipeline.ts"
import { FewControlFrames } from "./bounds/few-control-frames.ts"
import { FewAttachments } from "./bounds/few-attachments.ts"
import { guard, type Guard } from "./bounds/guard.ts"
import type { Limits } from "./bounds/limits.ts"
import { refuseUpgrade } from "./web/http.ts"
import type { Metrics, RefusedConnection } from "./web/metrics.ts"
import { addressOfRequest, networkAddress } from "./addresses/network-address.ts"
import { Networks } from "./addresses/networks.ts"
import { welcome } from "./rooms/rooms.ts"

interface Surroundings {
  readonly cluster: Cluster | undefined
  readonly addresses: Addresses
  readonly limits: Limits
  readonly log: Logger
  readonly metrics: Metrics
  readonly trustedProxies: number
  readonly addressScale: number
  isDraining(): boolean
}

/** Socket.IO on the HTTP server, with all limits that keep one connection from harming others. */
export function openSignaling(
  http: HttpServer,
  surroundings: Surroundings,
  handlersWith: (addressOf: (connection: Connection) => string) => Handlers,
): SignalingServer {
  const { cluster, addresses, limits, log, metrics } = surroundings
  const networks = new Networks(limits, surroundings.addressScale)
  const addressOf = (request: IncomingMessage) => addressOfRequest(request, surroundings.trustedProxies)

  const signaling: SignalingServer = new Server(http, {
    path: SIGNALING_PATH,
    serveClient: false,
    parser: FewAttachments,
    wsEngine: FewControlFrames,
    maxHttpBufferSize: FRAME_BYTES_MAX,
    pingInterval: limits.pingIntervalMs,
    pingTimeout: limits.pingTimeoutMs,
    connectTimeout: limits.handshakeTimeoutMs,
    allowUpgrades: false,
    ...cluster?.options,
    allowRequest: (request, decide) => {
      const refusal = refusalOf(signaling, addressOf(request), networks, surroundings)
      if (refusal === undefined) return decide(null, true)
      metrics.connectionRefused(refusal)
      if (request.headers.upgrade !== undefined) return refuseUpgrade(request, PASSED_ON, REFUSALS[refusal])
      return decide(REFUSALS[refusal], false)
    },
  })
  signaling.engine.use(passOnUnknown(signaling))
  signaling.engine.use(refuseSecondTransport)
  const guards = new WeakMap<object, Guard>()
  signaling.engine.on("connection", (transport: Transport) => {
    const address = addressOf(transport.request)
    guards.set(
      transport,
      guard(transport, networks.open(address), () => networks.punish(address), surroundings),
    )
    transport.once("close", () => networks.close(address))
  })

  const addressOfConnection = ({ handshake: { address, headers } }: Connection) =>
    networkAddress({ address, forwardedFor: headers["x-forwarded-for"]?.toString() }, surroundings.trustedProxies)
  const handlers = handlersWith(addressOfConnection)
  addresses.onLost((holder) => signaling.sockets.sockets.get(holder)?.disconnect())
  signaling.on("connection", (connection) => {
    welcome(connection, addresses, addressOfConnection, log)
    const guard = guards.get(connection.conn)
    if (guard === undefined) return
    guard.admitted(connection)
    serveRequests(connection, { guard, handlers, limits, log, metrics })
  })
  return signaling
}

const REFUSALS: Readonly<Record<RefusedConnection, string>> = {
  full: "The server is full.",
  address: "There are too many connections from this network address.",
  draining: "The server is going down: connect again.",
}

/**
 * Engine.IO would answer 400 and close, which a reverse proxy treats as the client's fault: the client then stays with
 * polling. At 403 the proxy asks another process.
 */
const PASSED_ON = "403 Forbidden"

/**
 * Refuses requests of sessions that this process does not have. Engine.IO answers 400, and a reverse proxy passes that
 * on to the client, whose session ends. At 403 the proxy asks the process that has the session. Nothing has been done
 * for the request, so it can be repeated there, also if it is a POST.
 */
function passOnUnknown(signaling: SignalingServer) {
  const message = "Session ID unknown"
  const body = JSON.stringify({ code: UNKNOWN_SESSION, message })
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const session = sessionOf(request)
    // Engine.IO's types hide its table of sessions.
    const { clients } = signaling.engine as unknown as { readonly clients: object }
    if (!session || Object.hasOwn(clients, session)) return next()
    if (request.headers.upgrade !== undefined) return refuseUpgrade(request, PASSED_ON, message)
    response.writeHead(403, { "Content-Type": "application/json" }).end(body)
  }
}
/** Engine.IO's code for it. */
const UNKNOWN_SESSION = 1

/**
 * Refuses a WebSocket for a session that began with long polling. Clients begin with a WebSocket, and stay with long
 * polling if that fails. Engine.IO hides the frames of the second transport until it has replaced the first one, so no
 * rate would count them.
 */
function refuseSecondTransport(request: IncomingMessage, _response: ServerResponse, next: () => void): void {
  if (request.headers.upgrade === undefined || !sessionOf(request)) return next()
  refuseUpgrade(request, "400 Bad Request", "This session stays with long polling.")
}

function sessionOf(request: IncomingMessage): string | null {
  return new URLSearchParams(request.url?.split("?")[1]).get("sid")
}

function refusalOf(
  signaling: SignalingServer,
  address: string,
  networks: Networks,
  { limits, isDraining }: Surroundings,
): RefusedConnection | undefined {
  if (isDraining()) return "draining"
  if (signaling.engine.clientsCount >= limits.connectionsMax) return "full"
  return networks.admit(address) ? undefined : "address"
}
