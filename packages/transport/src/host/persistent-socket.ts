import { Manager, type Socket } from "socket.io-client"
import { SIGNALING_PATH } from "../signaling-protocol/index.ts"
import { GuardedPolling, GuardedWebSocket } from "./guarded-transports.ts"

/** From the first packet to the server's welcome. */
const CONNECT_TIMEOUT_MS = 10_000
/** Doubles with each failure. */
const RETRY_DELAY_MS = 300
const RETRY_DELAY_MS_MAX = 5_000
/** Socket.IO's packet that accepts a connection. */
const CONNECT = 0
/** A connection that ends sooner counts as a failure, so that a server that turns members away is not stormed by them. */
const STABLE_MS = 5_000

/** A lost connection that the server may still know is not given up for so long: a server that restarts is back sooner. */
const RESUME_MS = 5_000
/** Of what the server names a session and a place in it by. */
const SESSION_CHARS_MAX = 128

export interface SocketListener {
  /** Before each attempt: install what should hear the server's events. What we missed comes before `onResumed`. */
  onAttempt(socket: Socket): void
  /** A new connection. The server has forgotten the former. */
  onUp(socket: Socket): void
  /** A new connection in the place of one that was suspended: the server knows us. */
  onResumed(socket: Socket): void
  /** The connection is lost; `onResumed` or `onDown` follows. */
  onSuspended(): void
  /** There is none, and will be none soon. */
  onDown(): void
}

/** By what a server of several processes knows a connection again. A server of one has no such thing. */
interface Session {
  readonly pid: string
  /** The last packet that came; without it the server could not tell what we missed. */
  offset: string | undefined
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
  let session: Session | undefined
  let suspended: ReturnType<typeof setTimeout> | undefined
  let drop = attempt()

  function attempt(): () => void {
    const wanted = session
    const socket = openSocket(origin, wanted, (pid) => {
      session = isShort(pid) ? { pid, offset: pid === wanted?.pid ? wanted.offset : undefined } : undefined
    })
    let upSinceMs: number | undefined
    const lost = () => {
      drop()
      const nowMs = performance.now()
      if (upSinceMs !== undefined && nowMs - upSinceMs >= STABLE_MS) failures = 0
      retry = setTimeout(() => (drop = attempt()), retryDelayMs(failures))
      failures += 1
      if (suspended !== undefined) return
      if (upSinceMs === undefined || session?.offset === undefined) return giveUp()
      suspended = setTimeout(giveUp, RESUME_MS)
      listener.onSuspended()
    }
    const deadline = setTimeout(lost, CONNECT_TIMEOUT_MS)
    socket.onAny((_name: string, ...rest: unknown[]) => {
      const offset = rest.at(-1)
      if (session !== undefined && isShort(offset)) session.offset = offset
    })
    listener.onAttempt(socket)
    socket.once("connect", () => {
      clearTimeout(deadline)
      upSinceMs = performance.now()
      const inTime = suspended !== undefined
      clearTimeout(suspended)
      suspended = undefined
      if (inTime && session?.pid === wanted?.pid) return listener.onResumed(socket)
      if (inTime) listener.onDown()
      listener.onUp(socket)
    })
    socket.once("disconnect", lost)
    socket.once("connect_error", lost)
    return () => {
      clearTimeout(deadline)
      socket.off()
      socket.offAny()
      socket.disconnect()
    }
  }

  function giveUp(): void {
    clearTimeout(suspended)
    suspended = undefined
    session = undefined
    listener.onDown()
  }

  return () => {
    clearTimeout(retry)
    clearTimeout(suspended)
    drop()
  }
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && value.length <= SESSION_CHARS_MAX
}

/** Drawn from 50 % to 150 % of the nominal delay: the members of a server that restarts come back one by one. */
function retryDelayMs(failures: number): number {
  return Math.min(RETRY_DELAY_MS_MAX, RETRY_DELAY_MS * 2 ** failures) * (0.5 + Math.random())
}

/** `onWelcome`: before any event of the connection. */
function openSocket(origin: string, session: Session | undefined, onWelcome: (pid: unknown) => void): Socket {
  const manager = new Manager(origin, {
    path: SIGNALING_PATH,
    transports: [GuardedWebSocket, GuardedPolling],
    tryAllTransports: true,
    reconnection: false,
  })
  // Registered before the socket's own listener, which hands on what came before the welcome.
  manager.on("packet", ({ type, data }) => {
    if (type === CONNECT) onWelcome((data as { readonly pid?: unknown } | undefined)?.pid)
  })
  return manager.socket("/", session === undefined ? {} : { auth: { pid: session.pid, offset: session.offset } })
}
