import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { ConnectionId, HostEvent, PeerCommand, PeerSignal, Reliability } from "../../port/port.ts"

type Description = { readonly id: string; readonly fingerprint: string }
type Peer = {
  readonly id: string
  readonly host: string
  readonly connectionId: ConnectionId
  readonly fingerprint: string
  remote: Description | null
  hasCandidate: boolean
  connected: boolean
}

const CLOSED = "closed by the other side"

export type Deliver = (to: string, event: HostEvent) => void

/**
 * Peer connections in memory that keep WebRTC's order of events: descriptions, candidates, an open channel, frames, an
 * end. Certificates are invented, but checked: a connection opens only if each end's certificate has the fingerprint
 * that the other expects.
 *
 * Like Chromium, a peer accepts a second description at any time, and from then on sends to its author.
 */
export class LoopbackPeers {
  /** Whether an unreliable frame is lost. */
  loses: () => boolean = () => false
  readonly #deliver: Deliver
  readonly #peers = new Map<string, Peer>()
  readonly #cuts = new Set<string>()

  constructor(deliver: Deliver) {
    this.#deliver = deliver
  }

  post(host: string, command: PeerCommand): void {
    if (command.type === "peer-open") return this.#open(host, command.connectionId, command.initiator)
    const peer = this.#peers.get(`${host}/${command.connectionId}`)
    if (peer === undefined) return
    if (command.type === "peer-signal") this.#handleSignal(peer, command.signal)
    else if (command.type === "peer-send") this.#send(peer, command.reliability, command.frames)
    else this.#close(peer, null, CLOSED)
  }

  /** Ends of connections, open or still opening. */
  get count(): number {
    return this.#peers.size
  }

  closeAll(host: string): void {
    for (const peer of this.#of(host)) this.#close(peer, null, CLOSED)
  }

  /** Breaks connections between two hosts, and lets none open until `mend`. */
  cut(a: string, b: string): void {
    this.#cuts.add(pairName(a, b))
    for (const peer of this.#of(a)) {
      if (this.#partner(peer)?.host === b) this.#close(peer, "connection lost", "connection lost")
    }
  }

  mend(a: string, b: string): void {
    this.#cuts.delete(pairName(a, b))
    for (const peer of this.#of(a)) this.#connectIfReady(peer)
  }

  #open(host: string, connectionId: ConnectionId, initiator: boolean): void {
    const id = `${host}/${connectionId}`
    const fingerprint = bytesToHex(sha256(utf8ToBytes(id)))
    const peer: Peer = { id, host, connectionId, fingerprint, remote: null, hasCandidate: false, connected: false }
    this.#peers.set(id, peer)
    if (initiator) this.#describe(peer, "offer")
  }

  #describe(peer: Peer, type: "offer" | "answer"): void {
    const { host, connectionId, id, fingerprint } = peer
    this.#deliver(host, { type: "peer-signal", connectionId, signal: { type, sdp: loopbackSdp(id, fingerprint) } })
    const candidate: PeerSignal = { type: "candidate", candidate: `candidate:${id}`, sdpMid: "0", sdpMLineIndex: 0 }
    this.#deliver(host, { type: "peer-signal", connectionId, signal: candidate })
  }

  #handleSignal(peer: Peer, signal: PeerSignal): void {
    if (signal.type === "candidate") peer.hasCandidate = true
    else {
      peer.remote = parseSdp(signal.sdp)
      if (signal.type === "offer") this.#describe(peer, "answer")
    }
    this.#connectIfReady(peer)
  }

  #connectIfReady(peer: Peer): void {
    const partner = this.#partner(peer)
    if (partner === null || peer.connected || partner.connected) return
    if (!peer.hasCandidate || !partner.hasCandidate || this.#cuts.has(pairName(peer.host, partner.host))) return
    const genuine = peer.remote?.fingerprint === partner.fingerprint && partner.remote?.fingerprint === peer.fingerprint
    if (!genuine) return this.#close(peer, "DTLS failed", "DTLS failed")
    this.#become(peer, partner)
    this.#become(partner, peer)
  }

  #become(peer: Peer, partner: Peer): void {
    peer.connected = true
    const { host, connectionId, fingerprint } = peer
    this.#deliver(host, {
      type: "peer-connected",
      connectionId,
      localFingerprint: fingerprint,
      remoteFingerprint: partner.fingerprint,
    })
  }

  #send(peer: Peer, reliability: Reliability, frames: readonly Uint8Array[]): void {
    const partner = peer.remote && this.#peers.get(peer.remote.id)
    if (!peer.connected || !partner) return
    const arriving = reliability === "unreliable" ? frames.filter(() => !this.loses()) : frames
    // Not copied, as frames are transferred in browsers: the sender must not use them any more.
    this.#deliver(partner.host, {
      type: "peer-frames",
      connectionId: partner.connectionId,
      reliability,
      frames: arriving,
    })
  }

  #close(peer: Peer, reasonHere: string | null, reasonThere: string): void {
    const partner = this.#partner(peer)
    this.#peers.delete(peer.id)
    if (reasonHere !== null) this.#deliver(peer.host, closed(peer.connectionId, reasonHere))
    if (partner === null) return
    this.#peers.delete(partner.id)
    this.#deliver(partner.host, closed(partner.connectionId, reasonThere))
  }

  /** The other end, once both have described themselves to each other. */
  #partner(peer: Peer): Peer | null {
    const partner = peer.remote && this.#peers.get(peer.remote.id)
    return partner && partner.remote?.id === peer.id ? partner : null
  }

  #of(host: string): Peer[] {
    return [...this.#peers.values()].filter((peer) => peer.host === host)
  }
}

/** The part of a session description that is read here. `fingerprint` is hex without colons. */
export function loopbackSdp(id: string, fingerprint: string): string {
  const pairs = fingerprint.toUpperCase().match(/../g) ?? []
  return ["v=0", `a=ice-ufrag:${id}`, `a=fingerprint:sha-256 ${pairs.join(":")}`, ""].join("\r\n")
}

function parseSdp(sdp: string): Description | null {
  const id = /^a=ice-ufrag:(.*)$/m.exec(sdp)?.[1]?.trim()
  const fingerprint = /^a=fingerprint:sha-256 (.*)$/m.exec(sdp)?.[1]
  return id && fingerprint ? { id, fingerprint: fingerprint.trim().replaceAll(":", "").toLowerCase() } : null
}

function closed(connectionId: ConnectionId, reason: string): HostEvent {
  return { type: "peer-closed", connectionId, byPeer: reason === CLOSED, reason }
}

export function pairName(a: string, b: string): string {
  return a < b ? `${a}|${b}` : `${b}|${a}`
}
