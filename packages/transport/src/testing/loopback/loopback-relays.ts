import type { ConnectionId, HostEvent, PeerCommand } from "../../port/port.ts"

import { pairName } from "./loopback-peers.ts"

type End = {
  readonly host: string
  readonly connectionId: ConnectionId
  readonly key: string
  readonly partnerKey: string
  connected: boolean
}

export type RelayOpen = PeerCommand & { readonly type: "relay-open" }

/** Long runs would keep all frames otherwise. */
const SEEN_MAX = 1024

/**
 * Connections through the bootstrap server, in memory. A connection opens when both ends have requested the same
 * circuit to each other.
 */
export class LoopbackRelays {
  readonly #deliver: (to: string, event: HostEvent) => void
  readonly #ends = new Map<string, End>()
  readonly #cuts = new Set<string>()
  /** Last frames seen by the server. */
  readonly seen: Uint8Array[] = []

  constructor(deliver: (to: string, event: HostEvent) => void) {
    this.#deliver = deliver
  }

  get count(): number {
    return this.#ends.size
  }

  /** `other`: the host that has the other end's address. As at a server, the own address may change later. */
  open(host: string, { connectionId, room, circuit }: RelayOpen, other: string): void {
    const end: End = {
      host,
      connectionId,
      key: `${room} ${host} ${other} ${circuit}`,
      partnerKey: `${room} ${other} ${host} ${circuit}`,
      connected: false,
    }
    this.#ends.set(end.key, end)
    const partner = this.#ends.get(end.partnerKey)
    if (!partner || this.#cuts.has(pairName(host, partner.host))) return
    for (const each of [partner, end]) {
      each.connected = true
      const { host: name, connectionId: number } = each
      this.#deliver(name, { type: "peer-connected", connectionId: number, localFingerprint: "", remoteFingerprint: "" })
    }
  }

  /** Returns false for a connection that is not among these. */
  post(host: string, command: PeerCommand): boolean {
    const end = [...this.#ends.values()].find(
      (each) => each.host === host && each.connectionId === command.connectionId,
    )
    if (!end) return false
    const partner = this.#ends.get(end.partnerKey)
    if (command.type === "peer-close") this.#close(end)
    else if (command.type === "peer-send" && end.connected && partner) {
      const frames = command.frames.map((frame) => frame.slice())
      this.seen.push(...frames)
      this.seen.splice(0, this.seen.length - SEEN_MAX)
      this.#deliver(partner.host, {
        type: "peer-frames",
        connectionId: partner.connectionId,
        reliability: command.reliability,
        frames,
      })
    }
    return true
  }

  closeAll(host?: string): void {
    for (const end of this.#ends.values()) {
      if (host === undefined) this.#deliver(end.host, closed(end.connectionId, false))
      if (host === undefined || end.host === host) this.#close(end)
    }
  }

  cut(a: string, b: string): void {
    this.#cuts.add(pairName(a, b))
    for (const end of this.#ends.values()) {
      if (end.host !== a || this.#ends.get(end.partnerKey)?.host !== b) continue
      this.#deliver(end.host, closed(end.connectionId, false))
      this.#close(end)
    }
  }

  mend(a: string, b: string): void {
    this.#cuts.delete(pairName(a, b))
  }

  #close(end: End): void {
    this.#ends.delete(end.key)
    const partner = this.#ends.get(end.partnerKey)
    if (!partner) return
    this.#ends.delete(partner.key)
    if (partner.connected) this.#deliver(partner.host, closed(partner.connectionId, true))
  }
}

function closed(connectionId: ConnectionId, byPeer: boolean): HostEvent {
  return {
    type: "peer-closed",
    connectionId,
    byPeer,
    reason: byPeer ? "closed by the other side" : "the server is away",
  }
}
