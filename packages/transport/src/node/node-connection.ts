import { CANDIDATES_MAX } from "../bounds/network-bounds.ts"
import { candidateAddress, isDataOnly, splitCandidates, toNativeServers } from "./ice.ts"
import type { NativeChannelInit, NativeConnection, NativeModule } from "./native.ts"
import { NodeChannel } from "./node-channel.ts"

type Description = { readonly type: "offer" | "answer"; readonly sdp: string }
type Created = { readonly channel: NodeChannel; readonly label: string; readonly init: NativeChannelInit }

/**
 * The part of `RTCPeerConnection` that links use, on a connection of libdatachannel.
 *
 * libdatachannel negotiates by itself: the first channel makes the offer, and a remote offer is answered at once. So
 * channels are made when the role is known, and `createOffer`, `createAnswer` and `setLocalDescription` only wait for
 * the result. ICE cannot be restarted: a restart is refused, and the link ends and is replaced.
 */
export class NodeConnection extends EventTarget {
  connectionState: RTCPeerConnectionState = "new"
  iceConnectionState: RTCIceConnectionState = "new"
  /** Without candidates, which follow one by one. */
  localDescription: Description | null = null
  readonly #native: NativeConnection
  readonly #policy: RTCIceTransportPolicy
  #channels: Created[] = []
  #negotiated = false
  #closed = false
  readonly #local: Promise<Description>
  #describe: (description: Description) => void = () => undefined
  #fail: (reason: Error) => void = () => undefined
  /** Our addresses at TURN servers. */
  readonly #relays = new Set<string>()
  /** Candidates that wait for our own address at the TURN server. Beyond `CANDIDATES_MAX` they are dropped. */
  #waiting: RTCIceCandidateInit[] = []
  /**
   * Our candidates until the peer's description is in force, then null. libdatachannel starts ICE before it stores the
   * description. A peer with our candidates can complete the DTLS handshake in between, which would fail for want of
   * the peer's fingerprint.
   */
  #held: (RTCIceCandidateInit | null)[] | null = []

  constructor(
    { PeerConnection }: NativeModule,
    { iceServers = [], iceTransportPolicy = "all" }: RTCConfiguration = {},
  ) {
    super()
    this.#policy = iceTransportPolicy
    this.#native = new PeerConnection("keymoot", {
      iceServers: toNativeServers(iceServers, iceTransportPolicy),
      iceTransportPolicy,
    })
    this.#local = new Promise((resolve, reject) => {
      this.#describe = resolve
      this.#fail = reject
    })
    this.#local.catch(() => undefined)
    this.#listen()
  }

  get currentLocalDescription(): Description | null {
    return this.localDescription
  }

  /** As libdatachannel has understood it, so its fingerprint is the one that DTLS checks. */
  get remoteDescription(): Description | null {
    return this.#closed ? null : (this.#native.remoteDescription() as Description | null)
  }

  get currentRemoteDescription(): Description | null {
    return this.remoteDescription
  }

  createDataChannel(label: string, { id, ordered = true, maxRetransmits }: RTCDataChannelInit): NodeChannel {
    if (this.#negotiated || id === undefined) throw new Error("Only negotiated channels, before the first description.")
    const channel = new NodeChannel(label)
    const limit = maxRetransmits === undefined ? {} : { maxRetransmits }
    this.#channels.push({ channel, label, init: { negotiated: true, id, unordered: !ordered, ...limit } })
    return channel
  }

  async createOffer({ iceRestart = false }: RTCOfferOptions = {}): Promise<Description> {
    if (iceRestart) throw new Error("ICE cannot be restarted.")
    if (!this.#negotiated && !this.#closed) this.#attachChannels()
    return this.#local
  }

  createAnswer(): Promise<Description> {
    return this.#local
  }

  async setLocalDescription(): Promise<void> {
    await this.#local
  }

  async setRemoteDescription({ type, sdp = "" }: RTCSessionDescriptionInit): Promise<void> {
    if (this.#closed) throw new Error("The connection is closed.")
    if (this.#native.remoteDescription()) throw new Error("ICE cannot be restarted.")
    if (!isDataOnly(sdp)) throw new Error("The description is not one of data channels.")
    const { description, candidates } = splitCandidates(sdp)
    this.#native.setRemoteDescription(description, type)
    if (!this.#negotiated) this.#attachChannels()
    for (const candidate of candidates) await this.addIceCandidate({ candidate }).catch(() => undefined)
    const held = this.#held ?? []
    this.#held = null
    for (const candidate of held) this.#signalCandidate(candidate)
  }

  /** Ignores candidates with names. */
  async addIceCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    const address = candidateAddress(candidate.candidate ?? "")
    if (this.#closed || address === null) return
    // libdatachannel sends checks from our own address to each candidate, also under the policy `relay`. Only the TURN
    // server, which knows it, may see that.
    if (this.#policy === "all" || this.#relays.has(address))
      this.#native.addRemoteCandidate(candidate.candidate!, candidate.sdpMid ?? "0")
    else if (this.#waiting.length < CANDIDATES_MAX) this.#waiting.push(candidate)
  }

  /** The round trip only. */
  async getStats(): Promise<ReadonlyMap<string, unknown>> {
    const rttMs = this.#closed ? -1 : this.#native.rtt()
    if (rttMs < 0) return new Map()
    return new Map([["pair", { nominated: true, state: "succeeded", currentRoundTripTime: rttMs / 1000 }]])
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.connectionState = "closed"
    this.iceConnectionState = "closed"
    this.#fail(new Error("The connection is closed."))
    for (const { channel } of this.#channels) channel.abandon()
    this.#native.close()
  }

  #attachChannels(): void {
    this.#negotiated = true
    for (const { channel, label, init } of this.#channels) channel.attach(this.#native.createDataChannel(label, init))
  }

  #listen(): void {
    this.#native.onLocalDescription((sdp, type) => {
      this.localDescription ??= { type: type as Description["type"], sdp }
      this.#describe(this.localDescription)
    })
    this.#native.onLocalCandidate((line, sdpMid) => {
      const candidate = line.replace(/^a=/u, "")
      if (candidate.includes(" typ relay ")) this.#handleRelay(candidateAddress(candidate))
      this.#signalCandidate({ candidate, sdpMid, sdpMLineIndex: 0 })
    })
    this.#native.onGatheringStateChange((state) => {
      if (state === "complete") this.#signalCandidate(null)
    })
    this.#native.onIceStateChange((state) => {
      if (this.#closed) return
      // libdatachannel closes a connection that has lost its path.
      this.iceConnectionState = state === "disconnected" ? "failed" : (state as RTCIceConnectionState)
      if (state !== "closed") this.#dispatch("iceconnectionstatechange")
    })
    this.#native.onStateChange((state) => {
      if (this.#closed) return
      this.connectionState = state as RTCPeerConnectionState
      if (state === "failed") this.#fail(new Error("The connection failed."))
      // The end of the peer shows at the channels.
      if (state !== "closed") this.#dispatch("connectionstatechange")
    })
  }

  #handleRelay(address: string | null): void {
    if (address === null || this.#relays.has(address)) return
    this.#relays.add(address)
    for (const candidate of this.#waiting.splice(0)) void this.addIceCandidate(candidate).catch(() => undefined)
  }

  #signalCandidate(candidate: RTCIceCandidateInit | null): void {
    if (this.#held) this.#held.push(candidate)
    else this.#dispatch("icecandidate", { candidate })
  }

  #dispatch(type: string, fields: object = {}): void {
    if (!this.#closed) this.dispatchEvent(Object.assign(new Event(type), fields))
  }
}
