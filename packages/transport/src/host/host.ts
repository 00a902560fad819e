import { type Bootstrap, createBootstrap } from "./bootstrap.ts"
import type { FrameConnection, ConnectionListener } from "./frame-connection.ts"
import { isBootstrapEvent } from "./own-bootstrap.ts"
import type { MovedChannels } from "./moved-channels.ts"
import type { WebRtc } from "./peer-connection.ts"
import type {
  BootstrapEvent,
  ConnectionId,
  Host,
  HostEvent,
  PeerCommand,
  PeerEvent,
  Reliability,
} from "../port/port.ts"
import type { WarmConnections } from "./warm-connections.ts"
import { WebRtcConnection } from "./webrtc-connection.ts"

/** A batch of frames with so many bytes is emitted at once. */
const BATCH_BYTES_MAX = 1024 * 1024

/**
 * Another way to the other members than Keymoot's server. It is as untrusted as that server: it can refuse service and
 * observe who communicates with whom, and no more. Each `conference-create`, `conference-get`, `conference-end` and
 * `room-enter` gets one `bootstrap-reply`. So does an unknown command with a `request`: `ok: false`. Anything that is
 * no event of a bootstrap is dropped, so what a server sends may be passed on as it is.
 */
export type BootstrapFactory = (onEvent: (event: BootstrapEvent) => void) => Bootstrap

export type HostOptions = {
  /** The WebRTC implementation where there is no browser. */
  readonly wrtc?: WebRtc
  readonly bootstrap?: BootstrapFactory
  /** Set if the engine is in another thread: then frames do not pass through this one. */
  readonly movedChannels?: MovedChannels | undefined
  /**
   * Connections to Keymoot's servers, shared by all hosts of a page. So joining a conference after looking at it needs
   * no new connection.
   */
  readonly warm?: WarmConnections
}

/** The main thread's side: peer connections and the bootstrap connection. */
export function createHost(onEvent: (event: HostEvent) => void, options: HostOptions = {}): Host {
  const bootstrap = options.bootstrap
    ? options.bootstrap((event) => isBootstrapEvent(event) && onEvent(event))
    : createBootstrap(onEvent, options.warm)
  const peers = createPeers(onEvent, { ...options, bootstrap })
  return {
    post: (command) => ("connectionId" in command ? peers.post(command) : bootstrap.post(command)),
    roundTripMs: (link) => peers.roundTripMs(link),
    close: () => {
      peers.close()
      bootstrap.close()
    },
  }
}

export interface Peers {
  /** Never throws, and never calls `onEvent` before it has returned. */
  post(command: PeerCommand): void
  /** As `Host.roundTripMs`. */
  roundTripMs(connectionId: ConnectionId): Promise<number | null>
  /** Closes every connection at once. No event follows. */
  close(): void
}

type PeersOptions = Pick<HostOptions, "wrtc"> & {
  readonly movedChannels?: Pick<MovedChannels, "move"> | undefined
  readonly bootstrap?: Pick<Bootstrap, "openRelay">
}
type Open = {
  readonly connection: FrameConnection
  readonly frames: Record<Reliability, Uint8Array[]>
  frameBytes: number
}

/**
 * The connections of one engine: peer connections, and connections through the server.
 *
 * Frames that arrive together become one event, since each event may cross a worker boundary. The first is emitted at
 * once, and frames until the next message-port task are batched. Unlike a timer, such a task is not throttled in a
 * hidden tab.
 */
export function createPeers(onEvent: (event: PeerEvent) => void, options: PeersOptions): Peers {
  const connections = new Map<ConnectionId, Open>()
  const dirty = new Set<ConnectionId>()
  let closed = false
  /** A message-port task is pending. */
  let gathering = false
  const soon = new MessageChannel()
  soon.port1.addEventListener("message", () => flushAll())
  soon.port1.start()
  // Node only: a pending batch should not keep the process alive.
  ;(soon.port1 as { unref?: () => void }).unref?.()

  const report = (event: PeerEvent): void => {
    if (!closed) onEvent(event)
  }
  const gather = (): void => {
    if (!gathering && !closed) soon.port2.postMessage(null)
    gathering = true
  }
  const flush = (number: ConnectionId): void => {
    const open = connections.get(number)
    dirty.delete(number)
    if (open === undefined) return
    const { frames } = open
    Object.assign(open, { frames: { reliable: [], unreliable: [] }, frameBytes: 0 })
    for (const reliability of ["reliable", "unreliable"] as const) {
      if (frames[reliability].length > 0)
        report({ type: "peer-frames", connectionId: number, reliability, frames: frames[reliability] })
    }
  }
  const flushAll = (): void => {
    gathering = false
    // Batching continues while frames arrive.
    if (dirty.size > 0) gather()
    for (const number of Array.from(dirty)) flush(number)
  }
  const end = (number: ConnectionId, reason: string, byPeer: boolean): void => {
    flush(number)
    connections.delete(number)
    report({ type: "peer-closed", connectionId: number, byPeer, reason })
  }

  const open = (command: PeerCommand & { type: "peer-open" | "relay-open" }): void => {
    const number = command.connectionId
    const listener: ConnectionListener = {
      onConnected: (localFingerprint, remoteFingerprint) =>
        report({ type: "peer-connected", connectionId: number, localFingerprint, remoteFingerprint }),
      onFrame: (frame, reliability) => {
        const state = connections.get(number)
        if (state === undefined) return
        state.frames[reliability].push(frame)
        state.frameBytes += frame.length
        if (!gathering || state.frameBytes >= BATCH_BYTES_MAX) flush(number)
        else dirty.add(number)
        gather()
      },
      onClosed: (reason, byPeer) => queueMicrotask(() => end(number, reason, byPeer)),
    }
    try {
      const connection =
        command.type === "peer-open" ? openPeer(command, listener) : options.bootstrap?.openRelay?.(command, listener)
      if (connection === undefined) throw new Error("this host has no relay through the server")
      connections.set(number, { connection, frames: { reliable: [], unreliable: [] }, frameBytes: 0 })
    } catch (error) {
      queueMicrotask(() => end(number, error instanceof Error ? error.message : "no WebRTC here", false))
    }
  }
  const openPeer = (
    { connectionId, initiator, iceServers = [], transportPolicy = "all" }: PeerCommand & { type: "peer-open" },
    listener: ConnectionListener,
  ): FrameConnection =>
    new WebRtcConnection({
      ...listener,
      initiator,
      iceServers,
      transportPolicy,
      wrtc: options.wrtc,
      moving: options.movedChannels && { connectionId, channels: options.movedChannels },
      signals: { take: (signal) => report({ type: "peer-signal", connectionId, signal }) },
    })

  return {
    post: (command) => {
      if (closed) return
      if (command.type === "peer-open" || command.type === "relay-open") return open(command)
      const state = connections.get(command.connectionId)
      if (state === undefined) return
      if (command.type === "peer-signal") {
        if (state.connection instanceof WebRtcConnection) state.connection.signal(command.signal)
      } else if (command.type === "peer-send") {
        state.connection.send(command.frames, command.reliability)
      } else {
        connections.delete(command.connectionId)
        state.connection.close()
      }
    },
    roundTripMs: async (number) => {
      const connection = connections.get(number)?.connection
      return connection instanceof WebRtcConnection ? connection.roundTripMs() : null
    },
    close: () => {
      closed = true
      for (const { connection } of connections.values()) connection.destroy()
      connections.clear()
      soon.port1.close()
    },
  }
}
