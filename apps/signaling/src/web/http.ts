import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import type { Limits } from "../bounds/limits.ts"
import { StartError } from "../start-error.ts"

/**
 * TCP connections for each connection of Socket.IO: a browser opens some more for the app's files. Beyond, new ones are
 * reset.
 */
const SOCKETS_PER_CONNECTION = 2

/**
 * A server that limits the time for a request to `handshakeTimeoutMs`, and answers 408 after it. A connection that
 * reads nothing for `httpStalledMs` is reset. That makes the kernel drop its buffers.
 */
export function createHttp(listener: RequestListener, limits: Limits): Server {
  const timeoutMs = limits.handshakeTimeoutMs
  const http = createServer(
    {
      headersTimeout: timeoutMs,
      requestTimeout: timeoutMs * 2,
      connectionsCheckingInterval: Math.ceil(timeoutMs / 4),
      keepAliveTimeout: limits.httpStalledMs,
    },
    listener,
  )
  // Node also watches the progress of writing. It calls this for a connection that has been idle for
  // `keepAliveTimeout`, too.
  http.setTimeout(limits.httpStalledMs, (socket) => void socket.resetAndDestroy())
  http.maxConnections = limits.connectionsMax * SOCKETS_PER_CONNECTION
  return http
}

/** The open TCP connections, kept up to date from now on. Node's own list lacks the WebSockets. */
export function socketsOf(http: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>()
  http.on("connection", (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  })
  return sockets
}

/** Answers a request for an upgrade, and closes its connection. */
export function refuseUpgrade({ socket }: IncomingMessage, status: string, message: string): void {
  const head = [`HTTP/1.1 ${status}`, "Connection: close", "Content-Type: text/plain"]
  const text = [...head, `Content-Length: ${Buffer.byteLength(message)}`, "", message].join("\r\n")
  // Not awaited: a client that reads nothing would keep a socket that no other bound counts.
  socket.write(text)
  socket.destroy()
}

/** @throws StartError when the port is taken or the host is not an address of this machine */
export function listen(http: Server, port: number, host: string): Promise<void> {
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

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]

/** Without a trailing slash; names `localhost` when the server listens there. */
export function urlOf(http: Server): string {
  const { address, family, port } = http.address() as AddressInfo
  const everywhere = ["127.0.0.1", "::1", "0.0.0.0", "::"].includes(address)
  const host = everywhere ? "localhost" : family === "IPv6" ? `[${address}]` : address
  return `http://${host}:${port}`
}

/** The origins under which a browser on this machine, or one that knows the address, reaches the server. */
export function originsOf(http: Server): string[] {
  const { port } = http.address() as AddressInfo
  return [...new Set([urlOf(http), ...LOOPBACK.map((host) => `http://${host}:${port}`)])]
}
