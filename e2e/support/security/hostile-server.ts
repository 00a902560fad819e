import { once } from "node:events"
import { createServer, request, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Server, type Socket } from "socket.io"
import { io } from "socket.io-client"

const SIGNALING_PATH = "/signaling/v1"

export type Payload = Record<string, unknown>
/** The server's attacks on payloads that pass it; each may change the payload or replace it. */
export type Treachery = {
  /** A page's request or signal, before the real server gets it. */
  readonly request?: (name: string, payload: Payload) => Payload
  /** The real server's answer. */
  readonly reply?: (name: string, reply: Payload) => Payload
  /** A delivery from others; any number of deliveries may replace it. */
  readonly delivery?: (name: string, payload: Payload) => readonly Payload[]
}

/** Speaks the real protocol, serves the real page, and asks a real server for everything, but is not honest. */
export class HostileServer {
  treachery: Treachery = {}
  readonly #real: string
  readonly #http: HttpServer
  readonly #signaling: Server

  private constructor(real: string) {
    this.#real = real
    this.#http = createServer((incoming, outgoing) => {
      const asked = request(`${real}${incoming.url ?? "/"}`, { method: incoming.method ?? "GET" }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      })
      asked.on("error", () => outgoing.writeHead(502).end())
      incoming.pipe(asked)
    })
    this.#signaling = new Server(this.#http, { path: SIGNALING_PATH, serveClient: false })
    // It gives each page the id of its own connection. So the real server takes the page's proof of the invitation.
    this.#signaling.use((page, next) => {
      const upstream = connectTo(this.#real)
      page.conn.once("close", () => upstream.disconnect())
      upstream.once("connect", () => {
        Object.assign(page, { id: upstream.id })
        this.#pass(page, upstream)
        next()
      })
    })
  }

  #pass(page: Socket, upstream: ReturnType<typeof connectTo>): void {
    page.onAny((name: string, payload: Payload, acknowledge: (reply: Payload) => void) => {
      const { request = (_: string, same: Payload) => same, reply = (_: string, same: Payload) => same } =
        this.treachery
      upstream.emit(name, request(name, payload), (answer: Payload) => acknowledge(reply(name, answer)))
    })
    upstream.onAny((name: string, payload: Payload, acknowledge?: (answer: Payload) => void) => {
      const [first, ...more] = this.treachery.delivery?.(name, payload) ?? [payload]
      // Only relayed frames are acknowledged. The sender hears that a frame that is not delivered was taken.
      if (first === undefined) return acknowledge?.({ taken: true })
      if (acknowledge) page.emit(name, first, acknowledge)
      else page.emit(name, first)
      for (const delivery of more) page.emit(name, delivery, () => undefined)
    })
  }

  static async start(real: string): Promise<HostileServer> {
    const server = new HostileServer(real)
    server.#http.listen(0, "127.0.0.1")
    await once(server.#http, "listening")
    return server
  }

  get origin(): string {
    return `http://localhost:${(this.#http.address() as AddressInfo).port}`
  }

  /** The same conference, as somebody is lured to it here. */
  lure(link: string): string {
    return link.replace(this.#real, this.origin)
  }

  async close(): Promise<void> {
    await this.#signaling.close()
  }
}

/** Asks the real server for a conference's descriptor, as anybody may who knows the id. */
export async function fetchDescriptor(origin: string, id: string): Promise<Buffer> {
  const socket = connectTo(origin)
  const reply: Payload = await socket.emitWithAck("conference:get", { id })
  socket.disconnect()
  return reply["descriptor"] as Buffer
}

/** The same bytes but for one bit. */
export function flipBit(bytes: unknown, at = 0.5): Buffer {
  const flipped = Buffer.from(bytes as Uint8Array)
  const index = Math.floor(flipped.length * at)
  flipped[index] = (flipped[index] ?? 0) ^ 1
  return flipped
}

function connectTo(origin: string) {
  return io(origin, { path: SIGNALING_PATH, transports: ["websocket"], forceNew: true })
}
