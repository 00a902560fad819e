import SimplePeer from "simple-peer/simplepeer.min.js"
import { sdpFingerprint } from "../mesh/sdp.ts"
import type { IceServer, PeerSignal } from "./port.ts"

/** What `RTCPeerConnection` comes from where there is no browser. */
export type WebRtc = {
  readonly RTCPeerConnection: unknown
  readonly RTCSessionDescription: unknown
  readonly RTCIceCandidate: unknown
}

/** Above this much in the channel frames wait here: Chromium throws at 16 MiB and slows down long before. */
const CHANNEL_BYTES_HIGH = 1024 * 1024
const CHANNEL_BYTES_LOW = 256 * 1024
/** Frames that wait here; beyond it the link is closed, since its sender does not heed back-pressure. */
const WAITING_BYTES_MAX = 64 * 1024 * 1024
/** How often the channel is asked where it does not tell: wrtc has no `bufferedamountlow`. */
const POLL_MS = 10
/** A closing channel gets this long to deliver what it holds. */
const CLOSING_MS = 1_000

export type PeerLinkOptions = {
  readonly initiator: boolean
  readonly iceServers: readonly IceServer[]
  readonly wrtc: WebRtc | undefined
  onSignal(signal: PeerSignal): void
  onConnected(localFingerprint: string, remoteFingerprint: string): void
  onFrame(frame: Uint8Array): void
  /** `bufferedBytes` may have changed by much. */
  onBuffered(): void
  /** Once, and not after `close` or `destroy`. */
  onClosed(reason: string): void
}

/**
 * One peer connection with its data channel: simple-peer without its traps. It would use strangers' STUN servers by
 * default, renegotiate on request, know no back-pressure, and destroy itself on whatever it does not understand.
 */
export class PeerLink {
  readonly #options: PeerLinkOptions
  readonly #peer: SimplePeer
  #waiting: Uint8Array[] = []
  #waitingBytes = 0
  #early: Uint8Array[] | null = []
  #polls = false
  #poll: ReturnType<typeof setTimeout> | null = null
  #closing = false
  #failure: string | null = null

  /** Throws where there is no WebRTC. */
  constructor(options: PeerLinkOptions) {
    this.#options = options
    const { initiator, iceServers, wrtc } = options
    this.#peer = new SimplePeer({
      initiator,
      trickle: true,
      // Otherwise an empty frame vanishes and adjacent ones may melt together.
      objectMode: true,
      config: { iceServers: iceServers.map(toRtcIceServer) },
      ...(wrtc ? { wrtc } : {}),
    })
    this.#peer.on("signal", (data) => {
      const signal = toPeerSignal(data)
      if (signal !== null && !this.#closing) options.onSignal(signal)
    })
    this.#peer.on("connect", () => this.#handleConnect())
    this.#peer.on("data", (data) => this.#handleData(data))
    this.#peer.on("error", (error) => {
      this.#failure ??= isAbort(error) ? null : error.message
    })
    this.#peer.on("close", () => this.#finish(this.#failure ?? "closed by the other side"))
  }

  get bufferedBytes(): number {
    return this.#waitingBytes + (this.#peer._channel?.bufferedAmount ?? 0)
  }

  signal(signal: PeerSignal): void {
    if (this.#closing) return
    try {
      if (signal.type === "candidate") {
        const { candidate, sdpMid, sdpMLineIndex } = signal
        this.#peer.signal({ type: "candidate", candidate: { candidate, sdpMid, sdpMLineIndex } })
      } else this.#peer.signal({ type: signal.type, sdp: signal.sdp })
    } catch (error) {
      this.#fail(`the signal was refused: ${messageOf(error)}`)
    }
  }

  send(frames: readonly Uint8Array[]): void {
    if (this.#closing) return
    for (const frame of frames) {
      this.#waiting.push(frame)
      this.#waitingBytes += frame.length
    }
    this.#drain(CHANNEL_BYTES_HIGH)
    this.#expectLow(CHANNEL_BYTES_LOW)
    if (this.#waitingBytes > WAITING_BYTES_MAX) this.#fail("more was sent than the link could carry")
  }

  /** Delivers what was sent, if that takes no longer than a moment, then closes. */
  close(): void {
    if (this.#closing) return
    this.#drain(Infinity)
    this.#closing = true
    const channel = this.#peer._channel
    if (channel?.readyState !== "open") return this.destroy()
    channel.close()
    setTimeout(() => this.destroy(), CLOSING_MS)
  }

  /** Closes at once. */
  destroy(): void {
    this.#closing = true
    this.#peer.destroy()
  }

  #handleConnect(): void {
    const { _pc: connection, _channel: channel } = this.#peer
    if (this.#closing || !connection || !channel) return
    const local = sdpFingerprint(connection.currentLocalDescription?.sdp ?? "")
    const remote = sdpFingerprint(connection.currentRemoteDescription?.sdp ?? "")
    if (!local.ok || !remote.ok) return this.#fail("the descriptions in force have not one certificate each")
    if (typeof channel.bufferedAmountLowThreshold === "number") {
      channel.addEventListener("bufferedamountlow", () => this.#handleLow())
    } else this.#polls = true
    this.#options.onConnected(local.fingerprint, remote.fingerprint)
    // The other end may be connected, and send, before this one is told.
    const early = this.#early ?? []
    this.#early = null
    for (const frame of early) this.#options.onFrame(frame)
  }

  #handleData(data: unknown): void {
    if (this.#closing) return
    if (!(data instanceof Uint8Array)) return this.#fail("text came where only bytes may")
    const frame = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength)
    if (this.#early === null) return this.#options.onFrame(frame)
    this.#early.push(frame)
    if (this.#early.length > EARLY_FRAMES_MAX) this.#fail("the other side floods a link that is not open")
  }

  /** To be told when the channel has drained to `bytes`: first to the low watermark, to refill it, then to nothing. */
  #expectLow(bytes: number): void {
    const channel = this.#peer._channel
    if (this.#closing || !channel) return
    const isLow = channel.bufferedAmount <= bytes
    if (isLow && this.#waiting.length === 0) return
    // wrtc drains on another thread, possibly since the last frame was refused: no event would follow.
    if (this.#polls || isLow) {
      if (this.#poll === null) this.#poll = setTimeout(() => this.#handlePoll(bytes), POLL_MS)
    } else channel.bufferedAmountLowThreshold = bytes
  }

  #handlePoll(bytes: number): void {
    this.#poll = null
    if ((this.#peer._channel?.bufferedAmount ?? 0) <= bytes) this.#handleLow()
    else this.#expectLow(bytes)
  }

  #handleLow(): void {
    this.#drain(CHANNEL_BYTES_HIGH)
    this.#options.onBuffered()
    this.#expectLow(this.#waiting.length > 0 ? CHANNEL_BYTES_LOW : 0)
  }

  #drain(channelBytesMax: number): void {
    const channel = this.#peer._channel
    if (this.#closing || channel?.readyState !== "open") return
    let sent = 0
    try {
      for (const frame of this.#waiting) {
        if (channel.bufferedAmount >= channelBytesMax) break
        this.#peer.send(frame)
        this.#waitingBytes -= frame.length
        sent += 1
      }
    } catch (error) {
      return this.#fail(`sending failed: ${messageOf(error)}`)
    }
    this.#waiting = this.#waiting.slice(sent)
  }

  #fail(reason: string): void {
    this.#failure ??= reason
    this.#finish(reason)
    this.destroy()
  }

  #finish(reason: string): void {
    if (this.#closing) return
    this.#closing = true
    this.#options.onClosed(reason)
  }
}

/** Frames from an end that is connected before this one is told; an honest one sends one handshake message. */
const EARLY_FRAMES_MAX = 64

function toRtcIceServer({ urls, username, credential }: IceServer): RTCIceServer {
  return {
    urls: typeof urls === "string" ? urls : [...urls],
    ...(username === undefined ? {} : { username }),
    ...(credential === undefined ? {} : { credential }),
  }
}

/** `null` for simple-peer's requests to renegotiate and to add transceivers, which are never passed on. */
function toPeerSignal(data: unknown): PeerSignal | null {
  const { type, sdp, candidate } = data as { type?: unknown; sdp?: unknown; candidate?: RTCIceCandidateInit }
  if ((type === "offer" || type === "answer") && typeof sdp === "string") return { type, sdp }
  if (type !== "candidate" || !candidate?.candidate) return null
  return {
    type,
    candidate: candidate.candidate,
    sdpMid: candidate.sdpMid ?? null,
    sdpMLineIndex: candidate.sdpMLineIndex ?? null,
  }
}

/** A peer that goes away closes its association so; it is no failure. */
function isAbort(error: Error): boolean {
  return error.message.includes("User-Initiated Abort")
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
