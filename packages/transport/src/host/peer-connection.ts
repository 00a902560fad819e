import type { ConnectionId, IceServer, IceTransportPolicy, PeerSignal } from "../port/port.ts"
import type { MovedChannels } from "./moved-channels.ts"

/** An `RTCPeerConnection` for hosts outside of browsers. */
export type WebRtc = { readonly RTCPeerConnection: unknown }

/** Channel ids are agreed in advance, far from those that browsers assign. */
export const RELIABLE_CHANNEL_ID = 101
const UNRELIABLE_CHANNEL_ID = 100
/** Chromium can leave a channel in "closing" without an event. Two checks in that state count as closed. */
const CLOSING_CHECK_MS = 5_000
/** An ICE restart is tried after this time without a path, and again after twice the time. */
const ICE_RESTART_MS = 2_000

/** None follows `closed` or a call of `close`. */
export type PeerConnectionEvent =
  | { readonly type: "signal"; readonly signal: PeerSignal }
  /** The reliable channel is open, so both descriptions are in force. */
  | { readonly type: "open"; readonly connection: RTCPeerConnection }
  | { readonly type: "message"; readonly data: unknown }
  /** `failure`: null if the peer has closed the connection. */
  | { readonly type: "closed"; readonly failure: string | null }

export type PeerConnectionOptions = {
  readonly initiator: boolean
  readonly iceServers: readonly IceServer[]
  readonly transportPolicy: IceTransportPolicy
  readonly webRtc: WebRtc
  /** Moves the reliable channel to the engine's thread, if that is another one. Its stand-in takes its place here. */
  readonly moving?: { readonly connectionId: ConnectionId; readonly channels: Pick<MovedChannels, "move"> } | undefined
}

/** One `RTCPeerConnection` with its channels: offer, answer, trickled candidates, ICE restarts and end. */
export class PeerConnection {
  readonly channel: RTCDataChannel
  /** Null if the implementation refuses it: then unreliable frames are lost. */
  readonly unreliable: RTCDataChannel | null
  readonly #connection: RTCPeerConnection
  readonly #initiator: boolean
  readonly #emit: (event: PeerConnectionEvent) => void
  /** Candidates that arrived before the remote description. */
  #early: RTCIceCandidateInit[] = []
  #changes = Promise.resolve()
  #isClosed = false
  #isOpen = false
  #wasClosing = false
  #restart: ReturnType<typeof setTimeout> | undefined
  readonly #closingCheck: ReturnType<typeof setInterval>

  /** Throws if the host has no WebRTC. */
  constructor(
    { initiator, iceServers, transportPolicy, webRtc, moving }: PeerConnectionOptions,
    emit: (event: PeerConnectionEvent) => void,
  ) {
    const { RTCPeerConnection: Implementation } = webRtc as { RTCPeerConnection?: typeof RTCPeerConnection }
    if (!Implementation) throw new Error("This host has no WebRTC.")
    this.#initiator = initiator
    this.#emit = emit
    const connection = new Implementation({
      iceServers: iceServers.map(toRtcIceServer),
      iceTransportPolicy: transportPolicy,
    })
    this.#connection = connection
    connection.addEventListener("icecandidate", ({ candidate }) => this.#signalCandidate(candidate))
    connection.addEventListener("iceconnectionstatechange", () => this.#handleIceState())
    connection.addEventListener("connectionstatechange", () => {
      if (connection.connectionState === "failed") this.#end("the connection failed")
    })
    try {
      this.channel = this.#createChannel(moving)
    } catch (error) {
      connection.close()
      throw error
    }
    this.unreliable = createUnreliable(connection)
    this.#closingCheck = setInterval(() => this.#checkClosing(), CLOSING_CHECK_MS)
    if (initiator)
      this.#inTurn(
        () => this.#describe(() => connection.createOffer()),
        (error) => this.#end(`no description could be made: ${messageOf(error)}`),
      )
  }

  /** Null if it is unknown. */
  async roundTripMs(): Promise<number | null> {
    const stats = await this.#connection.getStats().catch(() => null)
    const pairs = stats as ReadonlyMap<string, RTCIceCandidatePairStats> | null
    for (const { nominated, state, currentRoundTripTime: seconds } of pairs?.values() ?? []) {
      if (nominated && state === "succeeded" && seconds !== undefined) return Math.round(seconds * 1000)
    }
    return null
  }

  /** Takes a description or candidate of the peer. */
  signal(signal: PeerSignal): void {
    if (this.#isClosed) return
    if (signal.type !== "candidate") {
      const { type, sdp } = signal
      return this.#inTurn(
        () => this.#takeDescription({ type, sdp }),
        (error) => this.#end(`the description was refused: ${messageOf(error)}`),
      )
    }
    const { candidate, sdpMid, sdpMLineIndex } = signal
    this.#inTurn(() => this.#takeCandidate({ candidate, sdpMid, sdpMLineIndex }), ignoreFailure)
  }

  /** Looks for another path under the same DTLS session. Its offer is sent as any other signal. */
  restartIce(): void {
    if (this.#isClosed || !this.#isOpen) return
    this.#inTurn(async () => {
      const { signalingState } = this.#connection
      // The peer has not answered the last restart. A second offer could get the answer of the first one.
      if (signalingState === "have-local-offer") this.#signalDescription()
      else if (signalingState === "stable")
        await this.#describe(() => this.#connection.createOffer({ iceRestart: true }))
    }, ignoreFailure)
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearInterval(this.#closingCheck)
    clearTimeout(this.#restart)
    this.channel.close()
    this.#connection.close()
  }

  #createChannel(moving: PeerConnectionOptions["moving"]): RTCDataChannel {
    const made = this.#connection.createDataChannel("reliable", { negotiated: true, id: RELIABLE_CHANNEL_ID })
    const channel = moving?.channels.move(moving.connectionId, made, this.#connection) ?? made
    channel.binaryType = "arraybuffer"
    channel.addEventListener("open", () => {
      if (this.#isClosed || this.#isOpen) return
      this.#isOpen = true
      this.#emit({ type: "open", connection: this.#connection })
    })
    channel.addEventListener("message", ({ data }: { data: unknown }) => {
      if (!this.#isClosed) this.#emit({ type: "message", data })
    })
    channel.addEventListener("close", () => this.#end(null))
    // A peer that leaves aborts its SCTP association, which is no failure.
    channel.addEventListener("error", (event) => {
      const { message = "unknown" } = (event as { readonly error?: { readonly message?: string } }).error ?? {}
      this.#end(message.includes("User-Initiated Abort") ? null : message)
    })
    return channel
  }

  /** Changes of the descriptions, and candidates of the peer, take effect one after another. */
  #inTurn(change: () => Promise<void> | void, onFailure: (error: unknown) => void): void {
    this.#changes = this.#changes.then(() => (this.#isClosed ? undefined : change())).catch(onFailure)
  }

  async #takeDescription(description: RTCSessionDescriptionInit): Promise<void> {
    await this.#connection.setRemoteDescription(description)
    if (this.#isClosed) return
    for (const candidate of this.#early.splice(0)) this.#takeCandidate(candidate)
    if (description.type === "offer") await this.#describe(() => this.#connection.createAnswer())
  }

  /** Ignores a candidate that this host does not understand, since others may work. */
  #takeCandidate(candidate: RTCIceCandidateInit): void {
    if (this.#connection.remoteDescription) this.#connection.addIceCandidate(candidate).catch(ignoreFailure)
    else this.#early.push(candidate)
  }

  async #describe(create: () => Promise<RTCSessionDescriptionInit>): Promise<void> {
    await this.#connection.setLocalDescription(await create())
    this.#signalDescription()
  }

  #signalDescription(): void {
    const { type, sdp } = this.#connection.localDescription ?? {}
    if (!this.#isClosed && sdp !== undefined && (type === "offer" || type === "answer"))
      this.#emit({ type: "signal", signal: { type, sdp } })
  }

  #signalCandidate(candidate: RTCIceCandidate | null): void {
    if (this.#isClosed || !candidate?.candidate) return
    const { sdpMid, sdpMLineIndex } = candidate
    const signal = { type: "candidate", candidate: candidate.candidate, sdpMid, sdpMLineIndex } as const
    this.#emit({ type: "signal", signal })
  }

  #handleIceState(waitMs = ICE_RESTART_MS): void {
    clearTimeout(this.#restart)
    this.#restart = undefined
    const state = this.#connection.iceConnectionState
    if (state === "failed" || state === "closed") return this.#end(`ICE is ${state}`)
    // Only the initiator restarts ICE, for both ends.
    if (state !== "disconnected" || !this.#initiator || this.#isClosed) return
    this.#restart = setTimeout(() => {
      this.restartIce()
      this.#handleIceState(2 * waitMs)
    }, waitMs)
  }

  #checkClosing(): void {
    const isClosing = this.channel.readyState === "closing"
    if (isClosing && this.#wasClosing) this.#end(null)
    this.#wasClosing = isClosing
  }

  #end(failure: string | null): void {
    if (this.#isClosed) return
    this.close()
    this.#emit({ type: "closed", failure })
  }
}

/** Frames on this channel may be lost, and none waits for another. */
function createUnreliable(connection: RTCPeerConnection): RTCDataChannel | null {
  const options = { negotiated: true, id: UNRELIABLE_CHANNEL_ID, ordered: false, maxRetransmits: 0 }
  try {
    const channel = connection.createDataChannel("unreliable", options)
    channel.binaryType = "arraybuffer"
    return channel
  } catch {
    return null
  }
}

function toRtcIceServer({ urls, username, credential }: IceServer): RTCIceServer {
  return {
    urls: typeof urls === "string" ? urls : [...urls],
    ...(username === undefined ? {} : { username }),
    ...(credential === undefined ? {} : { credential }),
  }
}

function ignoreFailure(): void {
  // The connection fails by itself, and another one is made.
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
