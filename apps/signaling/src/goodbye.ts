import type { GoodbyeCode } from "@keymoot/transport/signaling-protocol"
import type { Connection, Transport } from "./connection.ts"

/**
 * How long one that is told to go has for reading why. A flooder has less: what it goes on sending is read, and costs, until
 * its connection is cut.
 */
const FAREWELL_MS: Readonly<Record<GoodbyeCode, number>> = { "too-slow": 1_000, flooding: 100, "shutting-down": 1_000 }

const MESSAGES: Readonly<Record<GoodbyeCode, string>> = {
  "too-slow": "This connection does not read what is sent to it.",
  flooding: "This connection asks too much too often.",
  "shutting-down": "The server is going down: connect again.",
}

/** Says why, and closes. Nothing is sent to it any more, and what it sends is not waited for. */
export function dismiss(connection: Connection, code: GoodbyeCode): void {
  const transport = connection.conn
  connection.emit("goodbye", { code, message: MESSAGES[code] })
  // Waits until the goodbye has left and takes nothing more in the meantime; one that does not read never lets it leave.
  transport.close()
  const impatience = setTimeout(() => cut(transport), FAREWELL_MS[code])
  transport.once("close", () => clearTimeout(impatience))
}

/**
 * Closes at once. A WebSocket is closed by both ends, and one that does not answer would be waited for, with all that it has
 * not read: so its TCP connection is ended as well.
 */
export function cut(transport: Transport): void {
  const { socket } = transport.transport as { readonly socket?: { terminate?(): void } }
  transport.close(true)
  socket?.terminate?.()
}
