import type { Bootstrap } from "./bootstrap.ts"
import type { FrameConnection, ConnectionListener } from "./frame-connection.ts"
import type { MovedChannels } from "./moved-channels.ts"
import type { WebRtc } from "./peer-connection.ts"
import { WebRtcConnection } from "./webrtc-connection.ts"
import type { Lane, LinkNumber, PeerCommand, PeerEvent } from "../port/port.ts"

/** A batch of frames with so many bytes is emitted at once. */
const BATCH_BYTES_MAX = 1024 * 1024

export interface Peers {
  /** Never throws, and never calls `onEvent` before it has returned. */
  post(command: PeerCommand): void
  /** As `Host.roundTripMs`. */
  roundTripMs(link: LinkNumber): Promise<number | null>
  /** Closes every connection at once. No event follows. */
  close(): void
}

type Open = {
  readonly link: FrameConnection
  readonly frames: Record<Lane, Uint8Array[]>
  frameBytes: number
}

type Options = {
  /** The WebRTC implementation where there is no browser. */
  readonly wrtc?: WebRtc
  /** Set if the engine is in another thread. */
  readonly movedChannels?: Pick<MovedChannels, "move"> | undefined
  readonly bootstrap?: Pick<Bootstrap, "openRelay">
}

/**
 * The links of one engine: peer connections, and links through the server.
 *
 * Frames that arrive together become one event, since each event may cross a worker boundary. The first is emitted at
 * once, and frames until the next message-port task are batched. Unlike a timer, such a task is not throttled in a
 * hidden tab.
 */
export function createPeers(onEvent: (event: PeerEvent) => void, options: Options = {}): Peers {
  const links = new Map<LinkNumber, Open>()
  const dirty = new Set<LinkNumber>()
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
  const flush = (number: LinkNumber): void => {
    const open = links.get(number)
    dirty.delete(number)
    if (open === undefined) return
    const { frames } = open
    Object.assign(open, { frames: { reliable: [], unreliable: [] }, frameBytes: 0 })
    for (const lane of ["reliable", "unreliable"] as const) {
      if (frames[lane].length > 0) report({ type: "peer-frames", link: number, lane, frames: frames[lane] })
    }
  }
  const flushAll = (): void => {
    gathering = false
    // Batching continues while frames arrive.
    if (dirty.size > 0) gather()
    for (const number of Array.from(dirty)) flush(number)
  }
  const end = (number: LinkNumber, reason: string, byPeer: boolean): void => {
    flush(number)
    links.delete(number)
    report({ type: "peer-closed", link: number, byPeer, reason })
  }

  const open = (command: PeerCommand & { type: "peer-open" | "relay-open" }): void => {
    const number = command.link
    const listener: ConnectionListener = {
      onConnected: (localFingerprint, remoteFingerprint) =>
        report({ type: "peer-connected", link: number, localFingerprint, remoteFingerprint }),
      onFrame: (frame, lane) => {
        const state = links.get(number)
        if (state === undefined) return
        state.frames[lane].push(frame)
        state.frameBytes += frame.length
        if (!gathering || state.frameBytes >= BATCH_BYTES_MAX) flush(number)
        else dirty.add(number)
        gather()
      },
      onClosed: (reason, byPeer) => queueMicrotask(() => end(number, reason, byPeer)),
    }
    try {
      const link =
        command.type === "peer-open" ? openPeer(command, listener) : options.bootstrap?.openRelay?.(command, listener)
      if (link === undefined) throw new Error("this host has no relay through the server")
      links.set(number, { link, frames: { reliable: [], unreliable: [] }, frameBytes: 0 })
    } catch (error) {
      queueMicrotask(() => end(number, error instanceof Error ? error.message : "no WebRTC here", false))
    }
  }
  const openPeer = (
    { link, initiator, iceServers, transportPolicy }: PeerCommand & { type: "peer-open" },
    listener: ConnectionListener,
  ): FrameConnection =>
    new WebRtcConnection({
      ...listener,
      initiator,
      iceServers,
      transportPolicy: transportPolicy ?? "all",
      wrtc: options.wrtc,
      moving: options.movedChannels && { link, channels: options.movedChannels },
      signals: { take: (signal) => report({ type: "peer-signal", link, signal }) },
    })

  return {
    post: (command) => {
      if (closed) return
      if (command.type === "peer-open" || command.type === "relay-open") return open(command)
      const state = links.get(command.link)
      if (state === undefined) return
      if (command.type === "peer-signal") {
        if (state.link instanceof WebRtcConnection) state.link.signal(command.signal)
      } else if (command.type === "peer-send") {
        state.link.send(command.frames, command.lane)
      } else {
        links.delete(command.link)
        state.link.close()
      }
    },
    roundTripMs: async (number) => {
      const link = links.get(number)?.link
      return link instanceof WebRtcConnection ? link.roundTripMs() : null
    },
    close: () => {
      closed = true
      for (const { link } of links.values()) link.destroy()
      links.clear()
      soon.port1.close()
    },
  }
}
