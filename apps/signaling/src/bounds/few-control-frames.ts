import { type ServerOptions, type WebSocket, WebSocketServer } from "ws"
import { type Rate, TokenBucket } from "./token-bucket.ts"

/**
 * Parts of one message, in frames of WebSocket or in reads from TCP, that are kept until it is whole. Each takes half a
 * kibibyte, even if it has one byte. The smallest usual TCP segment has 536 bytes, and so the longest message 245 parts.
 */
const PARTS_MAX = 512
/** How long a client may take for its part of the closing handshake. Until then its frames are read, and cost. */
const CLOSE_TIMEOUT_MS = 1_000
const BOUNDS = { maxFragments: PARTS_MAX, maxBufferedChunks: PARTS_MAX, closeTimeout: CLOSE_TIMEOUT_MS }

/**
 * WebSocket ping and pong frames of one connection; beyond, it is closed. Proxies and client libraries keep connections
 * alive by one every ten seconds, or more rarely. Firefox sends a ping when its network changes. Without an answer it
 * gives the connection up.
 */
export const CONTROL_FRAMES: Rate = { burst: 20, perSecond: 0.2 }

/**
 * The WebSockets below Engine.IO, which has ping packets of its own. Unmodified, a client that reads nothing could fill
 * the memory with the answers to its pings. Here one answer at most waits for the kernel, and meanwhile further pings get
 * none.
 */
export class FewControlFrames extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, ...BOUNDS, autoPong: false })
  }

  override handleUpgrade(...[request, socket, head, accept]: Parameters<WebSocketServer["handleUpgrade"]>): void {
    super.handleUpgrade(request, socket, head, (webSocket, upgraded) => {
      answerFew(webSocket)
      accept(webSocket, upgraded)
    })
  }
}

function answerFew(webSocket: WebSocket): void {
  const bucket = new TokenBucket(CONTROL_FRAMES, performance.now())
  let isAnswering = false
  const mayStay = () => {
    const may = bucket.take(performance.now())
    if (!may) webSocket.terminate()
    return may
  }
  webSocket.on("pong", mayStay).on("ping", (data) => {
    if (!mayStay() || isAnswering) return
    isAnswering = true
    // A copy: the payload would keep the whole read from TCP in memory.
    webSocket.pong(Buffer.from(data), false, () => (isAnswering = false))
  })
}
