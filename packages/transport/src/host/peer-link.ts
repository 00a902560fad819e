import SimplePeer from "simple-peer/simplepeer.min.js"
import { sdpFingerprint } from "../mesh/sdp.ts"
import { FrameQueue } from "./frame-queue.ts"
import type { Link, LinkListener } from "./link.ts"
import type { MoveChannel } from "./moved-channels.ts"
import { EARLY_FRAMES_MAX } from "./peer-bounds.ts"
import type { IceServer, IceTransportPolicy, Lane, PeerSignal } from "./port.ts"

/** What `RTCPeerConnection` comes from where there is no browser. */
export type WebRtc = {
  readonly RTCPeerConnection: unknown
  readonly RTCSessionDescription: unknown
  readonly RTCIceCandidate: unknown
}

/** The channels, the same at both ends without a word said; far from the ids that browsers give out. */
const UNRELIABLE_CHANNEL_ID = 100
const RELIABLE_CHANNEL_ID = 101
/** Above this much in the unreliable channel frames are lost: what is late there is worth nothing. */
const UNRELIABLE_BYTES_HIGH = 64 * 1024
/** Without a way for so long ICE is restarted, and again after twice as long each time, until there is one or the end. */
const ICE_RESTART_MS = 2_000
/** A closing channel gets this long to deliver what it holds. */
const CLOSING_MS = 1_000
/** An end that hears of the closing, wrtc at least, may drop what came just before it. */
const LINGER_MS = 100

export type PeerLinkOptions = LinkListener & {
  readonly initiator: boolean
  readonly iceServers: readonly IceServer[]
  readonly transportPolicy: IceTransportPolicy
  readonly wrtc: WebRtc | undefined
  /** To where frames are made and read, where that is another thread. */
  readonly moveChannel?: MoveChannel | undefined
  onSignal(signal: PeerSignal): void
}

/**
 * One peer connection with its data channel: simple-peer without its traps. It would use strangers' STUN servers by
 * default, renegotiate on request, know no back-pressure, and destroy itself on whatever it does not understand.
 */
export class PeerLink implements Link {
  readonly #options: PeerLinkOptions
  readonly #peer: SimplePeer
  readonly #queue: FrameQueue
  #early: Uint8Array[] | null = []
  #unreliable: RTCDataChannel | null = null
  #restart: ReturnType<typeof setTimeout> | null = null
  #closing = false
  #failure: string | null = null

  /** Throws where there is no WebRTC. */
  constructor(options: PeerLinkOptions) {
    this.#options = options
    const { initiator, iceServers, transportPolicy, moveChannel } = options
    const wrtc = moveChannel ? movingWebRtc(moveChannel, options.wrtc ?? globalThis) : options.wrtc
    this.#queue = new FrameQueue({
      channel: () => this.#peer._channel,
      onLow: () => options.onBuffered(),
      onFailure: (reason) => this.#fail(reason),
    })
    this.#peer = new SimplePeer({
      initiator,
      trickle: true,
      // Otherwise an empty frame vanishes and adjacent ones may melt together.
      objectMode: true,
      // There from the beginning at both ends, so that it can be moved before it is open.
      channelConfig: { negotiated: true, id: RELIABLE_CHANNEL_ID },
      config: { iceServers: iceServers.map(toRtcIceServer), iceTransportPolicy: transportPolicy },
      ...(wrtc ? { wrtc } : {}),
    })
    this.#peer.on("signal", (data) => {
      const signal = toPeerSignal(data)
      if (signal !== null && !this.#closing) options.onSignal(signal)
    })
    this.#peer.on("connect", () => this.#handleConnect())
    this.#peer.on("data", (data) => this.#handleData(data))
    this.#peer.on("iceStateChange", (state) => this.#handleIceState(state))
    this.#peer.on("error", (error) => {
      this.#failure ??= isAbort(error) ? null : error.message
    })
    this.#peer.on("close", () => this.#finish(this.#failure ?? "closed by the other side", this.#failure === null))
  }

  get bufferedBytes(): number {
    return this.#queue.bufferedBytes
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

  /**
   * Looks for another way to the other end, under the same DTLS session; its answer is a signal like any other. simple-peer
   * has nothing of the kind, and gives up only when ICE has failed altogether.
   */
  restartIce(): void {
    const connection = this.#peer._pc
    if (this.#closing || this.#early !== null || !connection) return
    connection
      .createOffer({ iceRestart: true })
      .then((offer) => connection.setLocalDescription(offer))
      .then(() => {
        const { type, sdp } = connection.localDescription ?? {}
        if (type === "offer" && sdp !== undefined && !this.#closing) this.#options.onSignal({ type, sdp })
      })
      // The connection fails in its own time, and another is made.
      .catch(() => undefined)
  }

  #handleIceState(state: RTCIceConnectionState, waitMs = ICE_RESTART_MS): void {
    if (this.#restart !== null) clearTimeout(this.#restart)
    this.#restart = null
    // The one that offered does it for both.
    if (state !== "disconnected" || !this.#options.initiator || this.#closing) return
    this.#restart = setTimeout(() => {
      this.restartIce()
      this.#handleIceState(state, 2 * waitMs)
    }, waitMs)
  }

  send(frames: readonly Uint8Array[], lane: Lane): void {
    if (this.#closing) return
    if (lane === "unreliable") return this.#sendUnreliable(frames)
    this.#queue.send(frames)
  }

  /** Delivers what was sent, if that takes no longer than a moment, then closes. */
  close(): void {
    if (this.#closing) return
    this.#queue.finish()
    if (this.#closing) return
    this.#closing = true
    const channel = this.#peer._channel
    if (channel?.readyState !== "open") return this.destroy()
    setTimeout(() => channel.close(), LINGER_MS)
    setTimeout(() => this.destroy(), CLOSING_MS)
  }

  /** Closes at once. */
  destroy(): void {
    this.#closing = true
    this.#queue.stop()
    if (this.#restart !== null) clearTimeout(this.#restart)
    this.#peer.destroy()
  }

  #handleConnect(): void {
    const { _pc: connection, _channel: channel } = this.#peer
    if (this.#closing || !connection || !channel) return
    const local = sdpFingerprint(connection.currentLocalDescription?.sdp ?? "")
    const remote = sdpFingerprint(connection.currentRemoteDescription?.sdp ?? "")
    if (!local.ok || !remote.ok) return this.#fail("the descriptions in force have not one certificate each")
    this.#queue.opened(channel)
    this.#openUnreliable(connection)
    this.#options.onConnected(local.fingerprint, remote.fingerprint)
    // The other end may be connected, and send, before this one is told.
    const early = this.#early ?? []
    this.#early = null
    for (const frame of early) this.#options.onFrame(frame, "reliable")
  }

  /** simple-peer opens one channel only. This one is negotiated, so the other end needs no word of it. */
  #openUnreliable(connection: RTCPeerConnection): void {
    const options = { negotiated: true, id: UNRELIABLE_CHANNEL_ID, ordered: false, maxRetransmits: 0 }
    try {
      const channel = connection.createDataChannel("unreliable", options)
      channel.binaryType = "arraybuffer"
      channel.addEventListener("message", ({ data }) => {
        if (!this.#closing && data instanceof ArrayBuffer) this.#options.onFrame(new Uint8Array(data), "unreliable")
      })
      this.#unreliable = channel
    } catch {
      // Without it what is unreliable is lost, as it may be.
    }
  }

  #sendUnreliable(frames: readonly Uint8Array[]): void {
    const channel = this.#unreliable
    if (channel?.readyState !== "open") return
    try {
      for (const frame of frames) {
        if (channel.bufferedAmount > UNRELIABLE_BYTES_HIGH) return
        channel.send(frame as Uint8Array<ArrayBuffer>)
      }
    } catch {
      // The same.
    }
  }

  #handleData(data: unknown): void {
    if (this.#closing) return
    if (!(data instanceof Uint8Array)) return this.#fail("text came where only bytes may")
    const frame = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength)
    if (this.#early === null) return this.#options.onFrame(frame, "reliable")
    this.#early.push(frame)
    if (this.#early.length > EARLY_FRAMES_MAX) this.#fail("the other side floods a link that is not open")
  }

  #fail(reason: string): void {
    this.#failure ??= reason
    this.#finish(reason, false)
    this.destroy()
  }

  #finish(reason: string, byPeer: boolean): void {
    if (this.#closing) return
    this.#closing = true
    this.#queue.stop()
    if (this.#restart !== null) clearTimeout(this.#restart)
    this.#options.onClosed(reason, byPeer)
  }
}

/** The same, but that the channel for frames is moved as soon as it is made. */
function movingWebRtc(move: MoveChannel, webRtc: WebRtc): WebRtc {
  const { RTCPeerConnection, RTCSessionDescription, RTCIceCandidate } = webRtc
  class MovingConnection extends (RTCPeerConnection as typeof globalThis.RTCPeerConnection) {
    override createDataChannel(label: string, options?: RTCDataChannelInit): RTCDataChannel {
      const channel = super.createDataChannel(label, options)
      return options?.id === RELIABLE_CHANNEL_ID ? (move(channel, this) ?? channel) : channel
    }
  }
  return { RTCPeerConnection: MovingConnection, RTCSessionDescription, RTCIceCandidate }
}

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
