import { createHash } from "node:crypto"
import { createServer, request, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Server, type Socket } from "socket.io"
import { SIGNALING_PATH } from "../src/signaling-protocol/index.ts"

/** The part of a test's context that registers a cleanup. */
export type Finished = (end: () => void | Promise<void>) => void

/** A server that speaks Socket.IO and then does what `behave` likes with each connection. */
export async function serveHostile(finished: Finished, behave: (socket: Socket) => void): Promise<string> {
  const http = createServer()
  const server = new Server(http, { path: SIGNALING_PATH, serveClient: false })
  server.on("connection", behave)
  finished(() => server.close())
  return listen(http)
}

/**
 * A server that accepts every WebSocket and writes `frames` of text into it, and answers every poll with the first.
 * `answered`: connections after which it answers nothing any more.
 */
export async function serveGarbage(
  finished: Finished,
  frames: readonly string[],
  answered = Infinity,
): Promise<{ url: string; connections: () => number }> {
  let connections = 0
  const http = createServer((_request, response) => {
    connections += 1
    response.end(frames[0])
  })
  http.on("upgrade", (request, stream) => {
    connections += 1
    if (connections > answered) return
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64")
    stream.on("error", () => {})
    stream.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    for (const frame of frames) stream.write(textFrame(frame))
  })
  finished(() => {
    http.close()
    http.closeAllConnections()
  })
  return { url: await listen(http), connections: () => connections }
}

/** A server that speaks another version of the protocol, and says so as every version does. */
export async function serveAnotherVersion(finished: Finished): Promise<string> {
  const http = createServer((_request, response) => void response.writeHead(426).end())
  finished(() => void http.close())
  return listen(http)
}

/** A middleman in front of `target` that breaks every WebSocket. */
export async function serveWithoutWebSocket(finished: Finished, target: string): Promise<string> {
  const http = createServer((asked, response) => {
    const { url, method, headers } = asked
    const onward = request(new URL(url ?? "/", target), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on("error", () => response.destroy())
    asked.pipe(onward)
  })
  http.on("upgrade", (_request, stream) => stream.destroy())
  finished(() => {
    http.close()
    http.closeAllConnections()
  })
  return listen(http)
}

/** An unmasked text frame of RFC 6455, section 5.2, up to 125 bytes. */
function textFrame(text: string): Uint8Array {
  const payload = new TextEncoder().encode(text)
  return Uint8Array.from([0x81, payload.length, ...payload])
}

export function listen(http: HttpServer): Promise<string> {
  return new Promise((done) => {
    http.listen(0, "127.0.0.1", () => done(`http://localhost:${(http.address() as AddressInfo).port}`))
  })
}
