import { once } from "node:events"
import { createServer, request } from "node:http"
import type { Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Server } from "socket.io"
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
    this.#signaling.on("connection", (page) => {
      const upstream = connectTo(this.#real)
      page.onAny((name: string, payload: Payload, acknowledge: (reply: Payload) => void) => {
        const { request = (_: string, same: Payload) => same, reply = (_: string, same: Payload) => same } =
          this.treachery
        const asked = request(name, name === "room:enter" ? unproven(payload) : payload)
        upstream.emit(name, asked, (answer: Payload) => acknowledge(reply(name, answer)))
      })
      upstream.onAny((name: string, payload: Payload) => {
        const deliveries = this.treachery.delivery?.(name, payload) ?? [payload]
        for (const delivery of deliveries) page.emit(name, delivery)
      })
      page.on("disconnect", () => upstream.disconnect())
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

/** The proof of the invitation is for the page's connection to this server, so the real one would refuse it. */
function unproven(entry: Payload): Payload {
  return Object.fromEntries(Object.entries(entry).filter(([field]) => field !== "proof"))
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
