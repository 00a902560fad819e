import type { GoodbyeCode } from "@keymoot/transport/signaling-protocol"
import type { Connection, Transport } from "../connection.ts"

/**
 * How long a dismissed client has to read the reason. A flooder has less: its packets are read, and cost, until its
 * connection is closed.
 */
const FAREWELL_MS: Readonly<Record<GoodbyeCode, number>> = { "too-slow": 1_000, flooding: 100, "shutting-down": 1_000 }

const MESSAGES: Readonly<Record<GoodbyeCode, string>> = {
  "too-slow": "This connection does not read what is sent to it.",
  flooding: "This connection exceeds its request rate.",
  "shutting-down": "The server is going down: connect again.",
}

/** Sends the reason and closes. Sends nothing further, and waits for no packets. */
export function dismiss(connection: Connection, code: GoodbyeCode): void {
  const transport = connection.conn
  // Locally: with several processes, Socket.IO would first store it in Redis for a client that returns.
  connection.nsp.local.to(connection.id).emit("goodbye", { code, message: MESSAGES[code] })
  // Waits until the goodbye has been sent and accepts nothing in the meantime. A client that does not read would never
  // let it finish.
  transport.close()
  const impatience = setTimeout(() => cut(transport), FAREWELL_MS[code])
  // Engine.IO has closed by then. Its WebSocket is read until the client answers, and only its own end counts.
  transport.transport.once("close", () => clearTimeout(impatience))
}

/**
 * Closes at once. A WebSocket is closed by both ends. A client that does not answer would stay open with all unread
 * data, so its TCP connection is reset as well.
 */
export function cut(transport: Transport): void {
  const { socket } = transport.transport as { readonly socket?: { terminate?(): void } }
  transport.close(true)
  socket?.terminate?.()
}
