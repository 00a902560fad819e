import { Fetch, WebSocket } from "socket.io-client"
import { FRAME_BYTES_MAX } from "../signaling-protocol/index.ts"

// Socket.IO's transports for browsers and Node, hardened against the server. Unmodified, a malformed handshake throws
// in a listener or rejects a promise without a handler. A packet without its payload does so a microtask later. Either
// ends a Node process. Here both end the connection, like every other failure of the server.

export class GuardedWebSocket extends WebSocket {
  override doOpen(): this {
    this.socket.binaryType = "arraybuffer"
    return super.doOpen()
  }

  protected override onData(data: string | ArrayBuffer): void {
    try {
      super.onData(data)
    } catch (error) {
      this.onError(UNREADABLE, error)
    }
  }

  protected override onPacket(packet: Parameters<WebSocket["onPacket"]>[0]): void {
    assertProtocol(packet)
    super.onPacket(packet)
  }
}

/** For networks whose middleboxes break WebSocket. */
export class GuardedPolling extends Fetch {
  override doOpen(): void {
    this.socket.binaryType = "arraybuffer"
    super.doOpen()
  }

  override onData(data: string): void {
    try {
      super.onData(data)
    } catch (error) {
      this.onError(UNREADABLE, error)
    }
  }

  protected override onPacket(packet: Parameters<Fetch["onPacket"]>[0]): void {
    assertProtocol(packet)
    super.onPacket(packet)
  }
}

const UNREADABLE = "the server's data cannot be read"

/**
 * The packets of Socket.IO's protocol, version 5, that this protocol uses: in the main namespace and with at most one
 * attachment. Each type must have its payload, which Socket.IO's decoder checks.
 */
const PACKET = /^(?:[04]\{|1$|[23]\d{0,15}\[|[56]1-\d{0,15}\[)/u

function assertProtocol({ type, data }: { readonly type: string; readonly data?: unknown }): void {
  if (type !== "message") return
  if (typeof data === "string" ? data.length <= FRAME_BYTES_MAX && PACKET.test(data) : isAttachment(data)) return
  throw new TypeError("not a packet of the Socket.IO protocol")
}

function isAttachment(data: unknown): boolean {
  return data instanceof ArrayBuffer && data.byteLength <= FRAME_BYTES_MAX
}
