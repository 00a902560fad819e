import { sdpFingerprint } from "../network/path/sdp.ts"
import type { Sink } from "../network/shared/sink.ts"
import { FrameQueue } from "./frame-queue.ts"
import { EARLY_FRAMES_MAX, type ConnectionListener, type FrameConnection } from "./frame-connection.ts"
import { PeerConnection, type PeerConnectionEvent, type PeerConnectionOptions, type WebRtc } from "./peer-connection.ts"
import type { PeerSignal, Reliability } from "../port/port.ts"

/** Bytes in the unreliable channel above which frames are dropped: there a late frame has no value. */
const UNRELIABLE_BYTES_HIGH = 64 * 1024
/** Time for a closing channel to deliver its buffer. */
const CLOSING_MS = 1_000
/** The implementations for Node can drop what arrived just before the end. */
const LINGER_MS = 100

export type WebRtcConnectionOptions = ConnectionListener &
  Omit<PeerConnectionOptions, "webRtc"> & {
    /** For hosts outside of browsers. */
    readonly wrtc: WebRtc | undefined
    readonly signals: Sink<PeerSignal>
  }

/**
 * A connection for frames over one `RTCPeerConnection`: backpressure, fingerprints, and frames that arrive too early.
 */
export class WebRtcConnection implements FrameConnection {
  readonly #options: WebRtcConnectionOptions
  readonly #peer: PeerConnection
  readonly #queue: FrameQueue
  /** Null once the connection is open. */
  #early: Uint8Array[] | null = []
  #closing = false

  /** Throws if the host has no WebRTC. */
  constructor(options: WebRtcConnectionOptions) {
    this.#options = options
    const { initiator, iceServers, transportPolicy, moving, wrtc = globalThis as unknown as WebRtc } = options
    const webRtcOptions = { initiator, iceServers, transportPolicy, moving, webRtc: wrtc }
    this.#peer = new PeerConnection(webRtcOptions, (event) => this.#handle(event))
    this.#queue = new FrameQueue(this.#peer.channel, (event) => {
      if (event.type === "failed") this.#fail(event.reason)
    })
    this.#peer.unreliable?.addEventListener("message", ({ data }: { data: unknown }) => {
      if (!this.#closing && data instanceof ArrayBuffer) options.onFrame(new Uint8Array(data), "unreliable")
    })
  }

  /** Null if it is unknown. */
  roundTripMs(): Promise<number | null> {
    return this.#peer.roundTripMs()
  }

  signal(signal: PeerSignal): void {
    if (!this.#closing) this.#peer.signal(signal)
  }

  restartIce(): void {
    if (!this.#closing) this.#peer.restartIce()
  }

  send(frames: readonly Uint8Array[], reliability: Reliability): void {
    if (this.#closing) return
    if (reliability === "unreliable") return this.#sendUnreliable(frames)
    this.#queue.send(frames)
  }

  /** Closes after delivering what was sent, if that takes no longer than `CLOSING_MS`. */
  close(): void {
    if (this.#closing) return
    this.#queue.finish()
    if (this.#closing) return
    this.#closing = true
    const { channel } = this.#peer
    if (channel.readyState !== "open") return this.destroy()
    setTimeout(() => channel.close(), LINGER_MS)
    setTimeout(() => this.destroy(), CLOSING_MS)
  }

  /** Closes at once. */
  destroy(): void {
    this.#closing = true
    this.#queue.stop()
    this.#peer.close()
  }

  #handle(event: PeerConnectionEvent): void {
    switch (event.type) {
      case "signal":
        return this.#closing ? undefined : this.#options.signals.take(event.signal)
      case "open":
        return this.#handleOpen(event.connection)
      case "message":
        return this.#handleData(event.data)
      case "closed":
        return this.#finish(event.failure ?? "closed by the other side", event.failure === null)
    }
  }

  #handleOpen(connection: RTCPeerConnection): void {
    if (this.#closing) return
    const local = sdpFingerprint(connection.currentLocalDescription?.sdp ?? "")
    const remote = sdpFingerprint(connection.currentRemoteDescription?.sdp ?? "")
    if (!local.ok || !remote.ok) return this.#fail("the descriptions in force do not have one certificate each")
    this.#queue.opened()
    this.#options.onConnected(local.fingerprint, remote.fingerprint)
    // The peer may be connected, and send, before this end is.
    const early = this.#early ?? []
    this.#early = null
    for (const frame of early) this.#options.onFrame(frame, "reliable")
  }

  #sendUnreliable(frames: readonly Uint8Array[]): void {
    const channel = this.#peer.unreliable
    if (channel?.readyState !== "open") return
    try {
      for (const frame of frames) {
        if (channel.bufferedAmount > UNRELIABLE_BYTES_HIGH) return
        channel.send(frame as Uint8Array<ArrayBuffer>)
      }
    } catch {
      // Unreliable frames may be lost.
    }
  }

  #handleData(data: unknown): void {
    if (this.#closing) return
    if (!(data instanceof ArrayBuffer)) return this.#fail("text arrived where only bytes may")
    const frame = new Uint8Array(data)
    if (this.#early === null) return this.#options.onFrame(frame, "reliable")
    this.#early.push(frame)
    if (this.#early.length > EARLY_FRAMES_MAX) this.#fail("the peer floods a connection that is not open")
  }

  #fail(reason: string): void {
    this.#finish(reason, false)
    this.destroy()
  }

  #finish(reason: string, byPeer: boolean): void {
    if (this.#closing) return
    this.#closing = true
    this.#queue.stop()
    this.#options.onClosed(reason, byPeer)
  }
}
