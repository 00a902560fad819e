import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { SIGNALING_PATH } from "@keymoot/transport/signaling-protocol"
import type { Limits } from "../bounds/limits.ts"
import { addressOfRequest, networkAddress } from "../addresses/network-address.ts"
import { OpenOfSites } from "../addresses/sites.ts"
import { Quotas } from "../bounds/quotas.ts"
import { refuseUpgrade } from "./http.ts"
import { securityHeaders } from "./security-headers.ts"

interface Addressing {
  readonly trustedProxies: number
  readonly addressScale: number
}

/**
 * Bounds the cost of one network address in TCP connections, files, probes and long polling. `networks.ts` bounds
 * WebSockets. Must be called after all request listeners are attached, Engine.IO's included.
 */
export function boundHttp(http: Server, limits: Limits, { trustedProxies, addressScale }: Addressing): void {
  const budget = new HttpBudget(limits, addressScale)
  // Behind a proxy every connection comes from the proxy, and the request names the client.
  if (trustedProxies === 0) {
    http.on("connection", (socket: Socket) => {
      const address = networkAddress({ address: socket.remoteAddress, forwardedFor: undefined }, 0)
      if (!budget.open(socket, address)) socket.resetAndDestroy()
    })
  }
  const upgraders = http.listeners("upgrade") as UpgradeListener[]
  http.removeAllListeners("upgrade")
  http.on("upgrade", (request, stream, head) => {
    // Node has removed its own listeners. An error without one would end the process.
    for (const emitter of [stream, request.socket]) emitter.on("error", () => {})
    if (!budget.upgrade(request.socket, addressOfRequest(request, trustedProxies))) {
      return refuseUpgrade(request, "429 Too Many Requests", TOO_MANY)
    }
    // Engine.IO leaves a socket that asks for another path open for as long as the client likes.
    if (request.url?.startsWith(`${SIGNALING_PATH}/`) !== true) return refuseUpgrade(request, "404 Not Found", "")
    for (const listener of upgraders) listener.call(http, request, stream, head)
  })
  const listeners = http.listeners("request") as RequestListener[]
  http.removeAllListeners("request")
  http.on("request", (request, response) => {
    const address = addressOfRequest(request, trustedProxies)
    if (!budget.admit(request.socket, address)) return refuse(response)
    limitAnswer(request, response, limits.httpAnswerMsMax, (byteCount) => budget.spend(address, byteCount))
    for (const listener of listeners) listener.call(http, request, response)
  })
}

type UpgradeListener = (request: IncomingMessage, stream: Duplex, head: Buffer) => void

const TOO_MANY = "This network address exceeds its request rate, or does not read the answers.\n"

function refuse(response: ServerResponse): void {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store", "Retry-After": "10" }
  response.writeHead(429, { ...securityHeaders(undefined), ...headers, Connection: "close" })
  response.end(TOO_MANY)
}

function limitAnswer(
  { socket }: IncomingMessage,
  response: ServerResponse,
  timeoutMs: number,
  onDone: (byteCount: number) => void,
): void {
  const before = socket.bytesWritten
  const late = setTimeout(() => void socket.resetAndDestroy(), timeoutMs).unref()
  response.once("close", () => {
    clearTimeout(late)
    onDone(socket.bytesWritten - before)
  })
}

/** Maps a connection to the bytes that the client had read at its last request, or null for a WebSocket. */
type Sockets = Map<Socket, number | null>

/** The open TCP connections and the recent use of each network address. */
class HttpBudget {
  readonly #requests: Quotas
  readonly #bytes: Quotas
  readonly #socketsMax: number
  readonly #unreadMax: number
  /**
   * By network address. An address without connections has no entry, so there are at most as many entries as
   * connections.
   */
  readonly #sockets = new Map<string, Sockets>()
  readonly #addresses = new WeakMap<Socket, string>()
  readonly #sites: OpenOfSites

  constructor(limits: Limits, scale: number) {
    this.#requests = new Quotas(limits.httpRequests, scale)
    this.#bytes = new Quotas(limits.httpBytes, scale)
    this.#socketsMax = limits.socketsPerAddressMax * scale
    this.#sites = new OpenOfSites(this.#socketsMax)
    this.#unreadMax = limits.httpUnreadPerAddressMax * scale
  }

  /**
   * Counts a connection against an address until it closes or carries a request of another address. Returns false
   * beyond the limit.
   */
  open(socket: Socket, address: string): boolean {
    const former = this.#addresses.get(socket)
    if (former === address) return true
    const sockets: Sockets = this.#sockets.get(address) ?? new Map()
    if (sockets.size >= this.#socketsMax || this.#sites.isFull(address)) return false
    if (former === undefined) socket.once("close", () => this.#forget(socket))
    else this.#forget(socket)
    sockets.set(socket, takenBytes(socket))
    this.#sockets.set(address, sockets)
    this.#addresses.set(socket, address)
    this.#sites.count(address, 1)
    return true
  }

  /** Whether a request for an upgrade may be answered now. A share of files that is used up does not refuse it. */
  upgrade(socket: Socket, address: string): boolean {
    if (!this.open(socket, address)) return false
    this.#socketsOf(socket)?.set(socket, null)
    return this.#requests.of(address).take(performance.now())
  }

  /**
   * Whether a request may be answered now. A client that sends the next request has read the former answer as far as it
   * was written.
   */
  admit(socket: Socket, address: string): boolean {
    if (!this.open(socket, address)) return false
    const sockets = this.#socketsOf(socket)
    sockets?.set(socket, takenBytes(socket))
    if (unreadBytes(sockets) >= this.#unreadMax) return false
    const nowMs = performance.now()
    return this.#bytes.of(address).balance(nowMs) > 0 && this.#requests.of(address).take(nowMs)
  }

  spend(address: string, byteCount: number): void {
    this.#bytes.of(address).spend(performance.now(), byteCount)
  }

  #socketsOf(socket: Socket): Sockets | undefined {
    return this.#sockets.get(this.#addresses.get(socket) ?? "")
  }

  #forget(socket: Socket): void {
    const address = this.#addresses.get(socket)
    if (address === undefined) return
    const sockets = this.#socketsOf(socket)
    sockets?.delete(socket)
    if (sockets?.size === 0) this.#sockets.delete(address)
    this.#sites.count(address, -1)
    this.#addresses.delete(socket)
  }
}

/** The bytes that the kernel has accepted. The client may not have read them yet. */
function takenBytes(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength
}

/** The bytes sent since the last request of each connection. It is unknown how many the client has read. */
function unreadBytes(sockets: Sockets = new Map()): number {
  let unread = 0
  for (const [socket, taken] of sockets) if (taken !== null) unread += socket.bytesWritten - taken
  return unread
}
