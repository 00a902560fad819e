import type { Logger } from "pino"
import type { Connection } from "./connection.ts"

/**
 * Disconnects a connection that does not read what is sent to it before it costs memory. It hears no reason, since it
 * does not read; its client reconnects, enters its rooms again and has missed what a lossy bus may lose.
 */
export function disconnectWhenUnread(connection: Connection, packetsUnreadMax: number, log: Logger): void {
  const transport = connection.conn
  let unread = 0
  // "flush": the transport took everything that waited, which it does when its last write reached the kernel.
  transport.on("flush", () => {
    unread = 0
  })
  transport.on("packetCreate", () => {
    unread += 1
    if (unread !== packetsUnreadMax) return
    log.warn({ packetsUnread: unread }, "a slow reader was disconnected")
    // The packet that filled the buffer is still being added: close when that is done.
    queueMicrotask(() => transport.close(true))
  })
}
