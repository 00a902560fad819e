import { Manager, type Socket } from "socket.io-client"
import { SIGNALING_PATH } from "../signaling-protocol/index.ts"
import { GuardedPolling, GuardedWebSocket } from "./guarded-transports.ts"

/** From the first packet to the server's welcome. */
const CONNECT_TIMEOUT_MS = 10_000
/** Doubles with each failure. */
const RETRY_DELAY_MS = 300
const RETRY_DELAY_MS_MAX = 5_000
/** A connection that ends sooner counts as a failure, so that a server that turns members away is not stormed by them. */
const STABLE_MS = 5_000

export interface SocketListener {
  /** A new connection: install what should hear its events. */
  onUp(socket: Socket): void
  /** The connection is lost, or the first attempt failed. */
  onDown(): void
}

/**
 * Keeps one connection to the server at an origin until closed. Every attempt is a socket of its own: Socket.IO's
 * reconnection trusts the server to keep to the protocol, and one that refuses a connection it has accepted, or breaks it
 * off in the wrong moment, leaves it in a state that says connected and is dead.
 * @returns closes it; no call of the listener follows
 */
export function keepConnected(origin: string, listener: SocketListener): () => void {
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  let drop = attempt()

  function attempt(): () => void {
    const socket = openSocket(origin)
    let upSinceMs = Number.POSITIVE_INFINITY
    const lost = () => {
      drop()
      if (performance.now() - upSinceMs >= STABLE_MS) failures = 0
      retry = setTimeout(() => (drop = attempt()), retryDelayMs(failures))
      failures += 1
      listener.onDown()
    }
    const deadline = setTimeout(lost, CONNECT_TIMEOUT_MS)
    socket.once("connect", () => {
      clearTimeout(deadline)
      upSinceMs = performance.now()
      listener.onUp(socket)
    })
    socket.once("disconnect", lost)
    socket.once("connect_error", lost)
    return () => {
      clearTimeout(deadline)
      socket.off()
      socket.disconnect()
    }
  }

  return () => {
    clearTimeout(retry)
    drop()
  }
}

/** Drawn from 50 % to 150 % of the nominal delay: the members of a server that restarts come back one by one. */
function retryDelayMs(failures: number): number {
  return Math.min(RETRY_DELAY_MS_MAX, RETRY_DELAY_MS * 2 ** failures) * (0.5 + Math.random())
}

function openSocket(origin: string): Socket {
  const manager = new Manager(origin, {
    path: SIGNALING_PATH,
    transports: [GuardedWebSocket, GuardedPolling],
    tryAllTransports: true,
    reconnection: false,
  })
  return manager.socket("/")
}
