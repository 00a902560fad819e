import { PeerLink, type WebRtc } from "./peer-link.ts"
import type { LinkNumber, PeerCommand, PeerEvent } from "./port.ts"

/** A batch of frames is handed on at once when it has so many bytes. */
const BATCH_BYTES_MAX = 1024 * 1024

export interface Peers {
  /** Never throws, and never calls `onEvent` before it has returned. */
  post(command: PeerCommand): void
  /** Closes every connection at once. No event follows. */
  close(): void
}

type Open = { readonly link: PeerLink; frames: Uint8Array[]; frameBytes: number; buffered: boolean }

/**
 * The peer connections of one engine. `wrtc` where there is no browser.
 *
 * Frames that arrive together become one event, for each event may cross a worker boundary. The batch ends with the
 * next message-port task: unlike a timer it is not throttled in a hidden tab.
 */
export function createPeers(onEvent: (event: PeerEvent) => void, options: { readonly wrtc?: WebRtc } = {}): Peers {
  const links = new Map<LinkNumber, Open>()
  const dirty = new Set<LinkNumber>()
  let closed = false
  const soon = new MessageChannel()
  soon.port1.addEventListener("message", () => flushAll())
  soon.port1.start()
  // Node only: a waiting batch is no reason to keep the process.
  ;(soon.port1 as { unref?: () => void }).unref?.()

  const report = (event: PeerEvent): void => {
    if (!closed) onEvent(event)
  }
  const flushLater = (number: LinkNumber): void => {
    if (dirty.size === 0 && !closed) soon.port2.postMessage(null)
    dirty.add(number)
  }
  const flush = (number: LinkNumber): void => {
    const open = links.get(number)
    dirty.delete(number)
    if (open === undefined) return
    const { frames, buffered } = open
    Object.assign(open, { frames: [], frameBytes: 0, buffered: false })
    if (frames.length > 0) report({ type: "peer-frames", link: number, frames })
    if (buffered) report({ type: "peer-buffered", link: number, bufferedBytes: open.link.bufferedBytes })
  }
  const flushAll = (): void => {
    for (const number of Array.from(dirty)) flush(number)
  }
  const end = (number: LinkNumber, reason: string): void => {
    flush(number)
    links.delete(number)
    report({ type: "peer-closed", link: number, reason })
  }

  const open = ({ link: number, initiator, iceServers }: PeerCommand & { type: "peer-open" }): void => {
    try {
      const link = new PeerLink({
        initiator,
        iceServers,
        wrtc: options.wrtc,
        onSignal: (signal) => report({ type: "peer-signal", link: number, signal }),
        onConnected: (localFingerprint, remoteFingerprint) =>
          report({ type: "peer-connected", link: number, localFingerprint, remoteFingerprint }),
        onFrame: (frame) => {
          const state = links.get(number)
          if (state === undefined) return
          state.frames.push(frame)
          state.frameBytes += frame.length
          if (state.frameBytes >= BATCH_BYTES_MAX) flush(number)
          else flushLater(number)
        },
        onBuffered: () => markBuffered(number),
        onClosed: (reason) => queueMicrotask(() => end(number, reason)),
      })
      links.set(number, { link, frames: [], frameBytes: 0, buffered: false })
    } catch (error) {
      queueMicrotask(() => end(number, error instanceof Error ? error.message : "no WebRTC here"))
    }
  }
  const markBuffered = (number: LinkNumber): void => {
    const state = links.get(number)
    if (state === undefined) return
    state.buffered = true
    flushLater(number)
  }

  return {
    post: (command) => {
      if (closed) return
      if (command.type === "peer-open") return open(command)
      const state = links.get(command.link)
      if (state === undefined) return
      if (command.type === "peer-signal") state.link.signal(command.signal)
      else if (command.type === "peer-send") {
        state.link.send(command.frames)
        markBuffered(command.link)
      } else {
        links.delete(command.link)
        state.link.close()
      }
    },
    close: () => {
      closed = true
      for (const { link } of links.values()) link.destroy()
      links.clear()
      soon.port1.close()
    },
  }
}
