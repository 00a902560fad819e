import { type ServerOptions, WebSocketServer } from "ws"

/**
 * The WebSockets below Engine.IO, which has ping packets of its own and takes data frames only. A ping or pong frame ends
 * its connection at once. Browsers send neither by themselves, and no rate counts them. Unmodified, a client that reads
 * nothing could fill the memory with the answers to its pings.
 */
export class DataFramesOnly extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, autoPong: false })
  }

  override handleUpgrade(...[request, socket, head, accept]: Parameters<WebSocketServer["handleUpgrade"]>): void {
    super.handleUpgrade(request, socket, head, (webSocket, upgraded) => {
      const end = () => webSocket.terminate()
      webSocket.on("ping", end).on("pong", end)
      accept(webSocket, upgraded)
    })
  }
}
