/**
 * Messages between the members of a fixed roster, independent of views and presence. Each is stored for its addressee
 * until that acknowledges it, and is delivered once and in order. At the bound the oldest are dropped. Then the layer
 * above is notified as soon as the addressee is reachable, and must send again what still matters.
 */
import type { MemberId } from "../members/ids.ts"
import type { GroupOutput } from "../view/group-types.ts"
import { NO_VIEW } from "../wire/codec.ts"
import { ROSTER_BODIES_MAX, ROSTER_BODY_BYTES_MAX, type MemberInstance, type RosterMessage } from "../wire/messages.ts"
import { Backlog } from "./backlog.ts"

/** Bytes of bodies in one frame, unless a single one has more. */
const FRAME_BYTES_MAX = 256 * 1024
/** Unacknowledged bodies are retransmitted after `resendMs`, doubled each time, up to this many doublings. */
const DOUBLINGS_MAX = 6

export type RosterChannelConfig = {
  readonly self: MemberInstance
  /** This member may be among them. */
  readonly roster: readonly MemberId[]
  readonly resendMs: number
}

/** `incarnation`: 0 if never heard of. `next`: number of the next body expected from that incarnation. */
type Peer = {
  linked: boolean
  readonly backlog: Backlog
  sentAtMs: number
  resends: number
  incarnation: number
  next: number
  acknowledgementDue: boolean
}

export class RosterChannel {
  readonly #config: RosterChannelConfig
  readonly #peers = new Map<MemberId, Peer>()
  readonly #outputs: GroupOutput[] = []
  #nowMs = 0

  constructor(config: RosterChannelConfig) {
    this.#config = config
    for (const id of config.roster) if (id !== config.self.id) this.#peers.set(id, newPeer())
  }

  /**
   * @throws RangeError for a body of more than `ROSTER_BODY_BYTES_MAX` bytes, or an addressee that is not in the
   *   roster
   */
  send(to: MemberId, body: Uint8Array): readonly GroupOutput[] {
    const peer = this.#peers.get(to)
    if (!peer || body.length > ROSTER_BODY_BYTES_MAX) throw new RangeError("not for the roster, or too long")
    const first = peer.backlog.add(body)
    if (peer.linked) this.#sendFrom(to, peer, first)
    return this.#outputs.splice(0)
  }

  linkUp(id: MemberId): readonly GroupOutput[] {
    const peer = this.#peers.get(id)
    if (!peer) return []
    peer.linked = true
    peer.resends = 0
    this.#resend(id, peer)
    this.#reportLoss(id, peer)
    return this.#outputs.splice(0)
  }

  linkDown(id: MemberId): void {
    const peer = this.#peers.get(id)
    if (peer) peer.linked = false
  }

  /** Links may have failed for a while, so waiting bodies are retransmitted soon, before their back-off ends. */
  onView(): void {
    for (const peer of this.#peers.values()) peer.resends = 0
  }

  /** Whether a body waits for the acknowledgement of a linked member. */
  get isWaiting(): boolean {
    return [...this.#peers.values()].some(({ linked, backlog }) => linked && !backlog.isEmpty)
  }

  tick(nowMs: number): readonly GroupOutput[] {
    this.#nowMs = nowMs
    for (const [id, peer] of this.#peers) {
      if (!peer.linked) continue
      const patienceMs = this.#config.resendMs * 2 ** Math.min(peer.resends, DOUBLINGS_MAX)
      if (!peer.backlog.isEmpty && nowMs - peer.sentAtMs >= patienceMs) {
        peer.resends++
        this.#resend(id, peer)
      }
      if (peer.acknowledgementDue) this.#sign(id, peer, peer.backlog.base, [])
    }
    return this.#outputs.splice(0)
  }

  onMessage(origin: MemberId, message: RosterMessage): readonly GroupOutput[] {
    const peer = this.#peers.get(origin)
    const { self } = this.#config
    if (!peer || message.to !== self.id || message.incarnation < peer.incarnation) return []
    if (message.incarnation > peer.incarnation) this.#becomeOtherIncarnation(origin, peer, message.incarnation)
    if (message.peerIncarnation === self.incarnation && peer.backlog.acknowledge(message.acknowledged)) {
      peer.resends = 0
      this.#reportLoss(origin, peer)
    }
    this.#take(origin, peer, message)
    return this.#outputs.splice(0)
  }

  #take(origin: MemberId, peer: Peer, { base, first, bodies }: RosterMessage): void {
    peer.next = Math.max(peer.next, base)
    if (bodies.length > 0) peer.acknowledgementDue = true
    for (const [i, body] of bodies.entries()) {
      // After a gap: the sender retransmits from the first unacknowledged body.
      if (first + i !== peer.next) continue
      peer.next++
      this.#outputs.push({ type: "rosterMessage", from: origin, body })
    }
  }

  /** Acknowledgements of its former incarnation are void, since that state is lost. */
  #becomeOtherIncarnation(id: MemberId, peer: Peer, incarnation: number): void {
    if (peer.incarnation > 0) this.#outputs.push({ type: "rosterLost", peer: id })
    peer.incarnation = incarnation
    peer.next = 1
  }

  #reportLoss(id: MemberId, peer: Peer): void {
    if (peer.linked && peer.backlog.takeLoss()) this.#outputs.push({ type: "rosterLost", peer: id })
  }

  #resend(id: MemberId, peer: Peer): void {
    if (!peer.backlog.isEmpty) this.#sendFrom(id, peer, peer.backlog.base)
  }

  #sendFrom(id: MemberId, peer: Peer, from: number): void {
    for (let first = from; first < peer.backlog.end;) {
      const bodies = peer.backlog.from(first, ROSTER_BODIES_MAX, FRAME_BYTES_MAX)
      this.#sign(id, peer, first, bodies)
      first += bodies.length
    }
    peer.sentAtMs = this.#nowMs
  }

  #sign(to: MemberId, peer: Peer, first: number, bodies: readonly Uint8Array[]): void {
    peer.acknowledgementDue = false
    const message: RosterMessage = {
      to,
      incarnation: this.#config.self.incarnation,
      base: peer.backlog.base,
      first,
      bodies,
      peerIncarnation: peer.incarnation,
      acknowledged: peer.next - 1,
    }
    this.#outputs.push({ type: "sign", to: [to], view: NO_VIEW, payload: { kind: "roster", message } })
  }
}

function newPeer(): Peer {
  return {
    linked: false,
    backlog: new Backlog(),
    sentAtMs: 0,
    resends: 0,
    incarnation: 0,
    next: 1,
    acknowledgementDue: false,
  }
}
