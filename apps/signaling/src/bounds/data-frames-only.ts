import { type ServerOptions, WebSocketServer } from "ws"

/**
 * Parts of one message, in frames of WebSocket or in reads from TCP, that are kept until it is whole. Each takes half a
 * kibibyte, even if it has one byte. The smallest usual TCP segment has 536 bytes, and so the longest message 245 parts.
 */
const PARTS_MAX = 512
/** How long a client may take for its part of the closing handshake. Until then its frames are read, and cost. */
const CLOSE_TIMEOUT_MS = 1_000
const BOUNDS = { maxFragments: PARTS_MAX, maxBufferedChunks: PARTS_MAX, closeTimeout: CLOSE_TIMEOUT_MS }

/**
 * The WebSockets below Engine.IO, which has ping packets of its own and takes data frames only. A ping or pong frame ends
 * its connection at once. Browsers send neither by themselves, and no rate counts them. Unmodified, a client that reads
 * nothing could fill the memory with the answers to its pings.
 */
export class DataFramesOnly extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, ...BOUNDS, autoPong: false })
  }

  override handleUpgrade(...[request, socket, head, accept]: Parameters<WebSocketServer["handleUpgrade"]>): void {
    super.handleUpgrade(request, socket, head, (webSocket, upgraded) => {
      const end = () => webSocket.terminate()
      webSocket.on("ping", end).on("pong", end)
      accept(webSocket, upgraded)
    })
  }
}
