import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net"
import { readFrames } from "./websocket-frames.ts"

type Connection = { readonly toServer: Buffer[]; readonly toClient: Buffer[] }

const UPGRADE = /\r\nUpgrade: websocket\r\n/iu
const ACCEPTED = /\r\nAccept-Encoding:[^\r]*/iu
const END_OF_HEAD = "\r\n\r\n"
/** The first line of a request for Socket.IO, with its transport. */
const SIGNALING = /^(?:GET|POST) \/signaling\/\S*[?&]transport=(\w+)/gmu

/** Stands before the server and keeps every byte that passes, in both directions. */
export class Recorder {
  readonly #server: Server
  readonly #connections: Connection[] = []
  readonly #sockets = new Set<Socket>()

  private constructor(target: URL) {
    this.#server = createServer((client) => {
      const connection: Connection = { toServer: [], toClient: [] }
      this.#connections.push(connection)
      const server = connect(Number(target.port), "127.0.0.1")
      client.on("data", (chunk) => connection.toServer.push(chunk))
      server.on("data", (chunk) => connection.toClient.push(chunk))
      client.on("data", (chunk) => server.write(askUncompressed(chunk)))
      client.on("end", () => server.end())
      server.pipe(client)
      for (const socket of [client, server]) {
        this.#sockets.add(socket)
        // One end going away ends the other: that is all that a broken connection means here.
        socket.on("error", () => undefined).on("close", () => [client, server].forEach((other) => other.destroy()))
      }
    })
  }

  static async start(target: string): Promise<Recorder> {
    const recorder = new Recorder(new URL(target))
    recorder.#server.listen(0, "127.0.0.1")
    await once(recorder.#server, "listening")
    return recorder
  }

  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  /**
   * The recorded traffic, readable: the raw streams, and the unmasked frames of browsers. Each connection is joined
   * without gaps, so that no text is hidden by a packet boundary.
   *
   * @throws Error if data was compressed, because a search would find nothing in it
   */
  passed(): Buffer[] {
    return this.#connections.flatMap(({ toServer, toClient }) => {
      const up = Buffer.concat(toServer)
      const down = Buffer.concat(toClient)
      const head = up.toString("latin1")
      if (/\r\nSec-WebSocket-Extensions|\r\nContent-Encoding/iu.test(down.toString("latin1")))
        throw new Error("The server compresses: the recorder cannot read that.")
      const upgrade = head.search(UPGRADE)
      if (upgrade === -1) return [up, down]
      return [up, down, readFrames(up.subarray(head.indexOf(END_OF_HEAD, upgrade) + END_OF_HEAD.length))]
    })
  }

  /** The transport of each request for signalling. A WebSocket is one request, which upgrades its connection. */
  transports(): string[] {
    return this.#connections.flatMap(({ toServer }) =>
      [...Buffer.concat(toServer).toString("latin1").matchAll(SIGNALING)].map(([, transport = ""]) => transport),
    )
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, "close")
  }
}

/** The server compresses the app's files if a browser accepts that. Only the head of a request has this line. */
function askUncompressed(chunk: Buffer): Buffer {
  const text = chunk.toString("latin1")
  return ACCEPTED.test(text) ? Buffer.from(text.replace(ACCEPTED, "\r\nAccept-Encoding: identity"), "latin1") : chunk
}
