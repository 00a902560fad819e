import { Manager, type Socket } from "socket.io-client"
import { OTHER_VERSION_STATUS, SIGNALING_PATH } from "../signaling-protocol/index.ts"
import { AttemptSchedule, RETRY_DELAY_MS } from "./attempt-schedule.ts"
import { GuardedPolling, GuardedWebSocket } from "./guarded-transports.ts"

/** Socket.IO's packet that accepts a connection. */
const CONNECT = 0
/** Socket.IO's reason for the end of a connection whose server has sent no ping in time. */
const SILENT = "ping timeout"
/** Our reason for the end of an attempt without an answer. */
const TIMED_OUT = "attempt timeout"
/** A connection that ends sooner counts as a failure. Otherwise members would flood a server that turns them away. */
const STABLE_MS = 5_000

/** Timeout for resuming a lost connection that the server may still know: a server that restarts is back sooner. */
const RESUME_MS = 5_000
/** Maximum length of the server's names for a session and for a position in it. */
const SESSION_CHARS_MAX = 128

export type SocketEvent =
  /** Before each attempt: install listeners for the server's events. Missed events come before `resumed`. */
  | { readonly type: "attempt"; readonly socket: Socket }
  /** A new connection. The server has lost the state of the former. */
  | { readonly type: "up"; readonly socket: Socket }
  /** A new connection that resumes a suspended one: the server still has our state. */
  | { readonly type: "resumed"; readonly socket: Socket }
  /** The connection is lost. `resumed` or `down` follows. */
  | { readonly type: "suspended" }
  /** There is no connection, and none is expected soon. */
  | { readonly type: "down" }
  /** Follows `down`: the server speaks only other versions of the protocol. */
  | { readonly type: "otherVersion" }

/** Identifies a connection to a server of several processes. A server of one process has no sessions. */
interface Session {
  readonly pid: string
  /** The last packet received. Without it the server could not tell which packets were missed. */
  offset: string | undefined
}

/**
 * Keeps one connection to the server at an origin until closed. Every attempt uses a new socket, since Socket.IO's
 * reconnection trusts the server to follow the protocol. A server can refuse a connection after accepting it, or end it
 * at the wrong moment. Then Socket.IO's reconnection is dead while it reports to be connected.
 *
 * When the device is back on a network, an attempt begins at once. One that began without a network can hang for long.
 * @returns a function that closes it; no event follows
 */
export function keepConnected(origin: string, emit: (event: SocketEvent) => void): () => void {
  const schedule = new AttemptSchedule()
  let isUp = false
  let attemptedMs = -Infinity
  let retry: ReturnType<typeof setTimeout> | undefined
  let session: Session | undefined
  let suspended: ReturnType<typeof setTimeout> | undefined
  let drop = attempt()

  function attempt(): () => void {
    const wanted = session
    attemptedMs = performance.now()
    const socket = openSocket(origin, wanted, (pid) => {
      session = isShort(pid) ? { pid, offset: pid === wanted?.pid ? wanted.offset : undefined } : undefined
    })
    let upSinceMs: number | undefined
    const lost = (reason: string) => {
      drop()
      isUp = false
      if (upSinceMs === undefined) schedule.failed(reason !== TIMED_OUT)
      else schedule.lost(reason === SILENT, performance.now() - upSinceMs >= STABLE_MS)
      retry = setTimeout(() => (drop = attempt()), schedule.nextPauseMs(Math.random()))
      if (suspended !== undefined) return
      if (upSinceMs === undefined || session?.offset === undefined) return giveUp()
      suspended = setTimeout(giveUp, RESUME_MS)
      emit({ type: "suspended" })
    }
    const deadline = setTimeout(() => lost(TIMED_OUT), schedule.timeoutMs)
    socket.onAny((_name: string, ...rest: unknown[]) => {
      const offset = rest.at(-1)
      if (session !== undefined && isShort(offset)) session.offset = offset
    })
    emit({ type: "attempt", socket })
    socket.once("connect", () => {
      clearTimeout(deadline)
      upSinceMs = performance.now()
      schedule.connected(upSinceMs - attemptedMs)
      isUp = true
      const inTime = suspended !== undefined
      clearTimeout(suspended)
      suspended = undefined
      if (inTime && session?.pid === wanted?.pid) return emit({ type: "resumed", socket })
      if (inTime) emit({ type: "down" })
      emit({ type: "up", socket })
    })
    socket.once("disconnect", lost)
    socket.once("connect_error", (error: Error & { readonly description?: unknown }) => {
      lost(error.message)
      if (error.description === OTHER_VERSION_STATUS) emit({ type: "otherVersion" })
    })
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
    emit({ type: "down" })
  }

  function onOnline(): void {
    if (isUp || performance.now() - attemptedMs < RETRY_DELAY_MS) return
    clearTimeout(retry)
    drop()
    drop = attempt()
  }

  const online = new AbortController()
  // Node has no such event.
  if (typeof addEventListener === "function") addEventListener("online", onOnline, { signal: online.signal })
  return () => {
    online.abort()
    clearTimeout(retry)
    clearTimeout(suspended)
    drop()
  }
}

/** Whether a value is a valid name given by the server. */
export function isShort(value: unknown): value is string {
  return typeof value === "string" && value.length <= SESSION_CHARS_MAX
}

/** `onWelcome` is called before any event of the connection. */
function openSocket(origin: string, session: Session | undefined, onWelcome: (pid: unknown) => void): Socket {
  const manager = new Manager(origin, {
    path: SIGNALING_PATH,
    transports: [GuardedWebSocket, GuardedPolling],
    tryAllTransports: true,
    reconnection: false,
  })
  // Registered before the socket's own listener, which emits what came before the welcome.
  manager.on("packet", ({ type, data }) => {
    if (type === CONNECT) onWelcome((data as { readonly pid?: unknown } | undefined)?.pid)
  })
  return manager.socket("/", session === undefined ? {} : { auth: { pid: session.pid, offset: session.offset } })
}
