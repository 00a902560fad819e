/**
 * Broadcast by Plumtree (Leitão, Pereira and Rodrigues: Epidemic Broadcast Trees, 2007). Links of a spanning tree carry
 * messages at once (eager). The other links carry only their ids (lazy). A duplicate message removes its link from the
 * tree. If an announced message does not come, the announcer's link is added.
 *
 * Divergence: an id is a digest of its message, so no member can forge a message for another's id. The tree is not
 * optimised for hops.
 */
import type { MemberId } from "../../members/ids.ts"
import {
  ANNOUNCERS_MAX,
  GRAFT_AFTER_MS,
  GRAFT_AGAIN_MS,
  GRAFTED_BYTES_MAX,
  MISSING_MAX,
  MISSING_OF_ONE_MAX,
} from "../../bounds/overlay-bounds.ts"
import { KeptMessages } from "./kept-messages.ts"

/** Hex. */
export type GossipId = string & { readonly __brand: "GossipId" }

export type Gossip<M> = { readonly id: GossipId; readonly message: M; readonly bytes: number }

export type PlumtreeMessage<M> =
  | { readonly kind: "gossip"; readonly gossip: Gossip<M> }
  | { readonly kind: "announce"; readonly ids: readonly GossipId[] }
  | { readonly kind: "graft"; readonly id: GossipId }
  | { readonly kind: "prune" }

export type PlumtreeOutput<M> =
  | { readonly type: "send"; readonly to: MemberId; readonly message: PlumtreeMessage<M> }
  /** Emitted once, whichever neighbour it came from. */
  | { readonly type: "deliver"; readonly from: MemberId; readonly message: M }

/** `first`: the neighbour that announced it first. */
type Missing = { readonly first: MemberId; readonly announcers: MemberId[]; askAtMs: number }

export class Plumtree<M> {
  readonly #eager = new Set<MemberId>()
  readonly #lazy = new Set<MemberId>()
  readonly #kept = new KeptMessages<M>()
  readonly #missing = new Map<GossipId, Missing>()
  /** Per lazy neighbour: ids to announce at the next tick. */
  readonly #announcing = new Map<MemberId, GossipId[]>()
  /** Per neighbour: missing messages that it was the first to announce. */
  readonly #announced = new Map<MemberId, number>()
  /** Per neighbour: bytes sent on its request since the last tick. */
  readonly #grafted = new Map<MemberId, number>()
  #outputs: PlumtreeOutput<M>[] = []

  /** Links of the tree, for diagnosis. */
  get eager(): ReadonlySet<MemberId> {
    return this.#eager
  }

  /** Whether no message is missing or to be announced. */
  get isSettled(): boolean {
    return this.#missing.size === 0 && this.#announcing.size === 0
  }

  /** Announces recent messages, which may have been lost with another link. */
  linkUp(peer: MemberId): readonly PlumtreeOutput<M>[] {
    this.#outputs = []
    this.#eager.add(peer)
    this.#lazy.delete(peer)
    const ids = this.#kept.ids()
    if (ids.length > 0) this.#send(peer, { kind: "announce", ids })
    return this.#outputs
  }

  linkDown(peer: MemberId): void {
    this.#eager.delete(peer)
    this.#lazy.delete(peer)
    this.#announcing.delete(peer)
  }

  /** False for a message that was sent or received before. */
  has(id: GossipId): boolean {
    return this.#kept.wasSeen(id)
  }

  broadcast(gossip: Gossip<M>, nowMs: number): readonly PlumtreeOutput<M>[] {
    this.#outputs = []
    if (!this.#kept.wasSeen(gossip.id)) this.#push(gossip, null, nowMs)
    return this.#outputs
  }

  receive(from: MemberId, message: PlumtreeMessage<M>, nowMs: number): readonly PlumtreeOutput<M>[] {
    this.#outputs = []
    if (!this.#eager.has(from) && !this.#lazy.has(from)) return this.#outputs
    switch (message.kind) {
      case "gossip":
        this.#onGossip(from, message.gossip, nowMs)
        break
      case "announce":
        for (const id of message.ids) this.#onAnnounced(from, id, nowMs)
        break
      case "graft":
        this.#becomeEager(from)
        this.#sendKept(from, message.id)
        break
      case "prune":
        this.#becomeLazy(from)
    }
    return this.#outputs
  }

  tick(nowMs: number): readonly PlumtreeOutput<M>[] {
    this.#outputs = []
    this.#kept.tick(nowMs)
    this.#grafted.clear()
    for (const [to, ids] of this.#announcing) if (ids.length > 0) this.#send(to, { kind: "announce", ids })
    this.#announcing.clear()
    for (const [id, missing] of this.#missing) {
      if (nowMs < missing.askAtMs) continue
      const announcer = missing.announcers.shift()
      if (announcer === undefined) {
        // A neighbour that has the message announces it again on its next new link.
        this.#notMissing(id)
        continue
      }
      missing.askAtMs = nowMs + GRAFT_AGAIN_MS
      if (!this.#eager.has(announcer) && !this.#lazy.has(announcer)) continue
      this.#becomeEager(announcer)
      this.#send(announcer, { kind: "graft", id })
    }
    return this.#outputs
  }

  #onGossip(from: MemberId, gossip: Gossip<M>, nowMs: number): void {
    if (this.#kept.wasSeen(gossip.id)) {
      if (this.#lazy.has(from)) return
      this.#becomeLazy(from)
      return this.#send(from, { kind: "prune" })
    }
    this.#becomeEager(from)
    this.#outputs.push({ type: "deliver", from, message: gossip.message })
    this.#push(gossip, from, nowMs)
  }

  #push(gossip: Gossip<M>, from: MemberId | null, nowMs: number): void {
    this.#kept.add(gossip, nowMs)
    this.#notMissing(gossip.id)
    for (const to of this.#eager) if (to !== from) this.#send(to, { kind: "gossip", gossip })
    for (const to of this.#lazy) {
      if (to === from) continue
      const ids = this.#announcing.get(to)
      if (ids) ids.push(gossip.id)
      else this.#announcing.set(to, [gossip.id])
    }
  }

  #onAnnounced(from: MemberId, id: GossipId, nowMs: number): void {
    if (this.#kept.wasSeen(id)) return
    const missing = this.#missing.get(id)
    // One place for each neighbour: otherwise one that withholds the message takes all of them.
    if (missing && missing.announcers.length < ANNOUNCERS_MAX && !missing.announcers.includes(from))
      missing.announcers.push(from)
    const ofThis = this.#announced.get(from) ?? 0
    if (missing || this.#missing.size >= MISSING_MAX || ofThis >= MISSING_OF_ONE_MAX) return
    this.#announced.set(from, ofThis + 1)
    this.#missing.set(id, { first: from, announcers: [from], askAtMs: nowMs + GRAFT_AFTER_MS })
  }

  #notMissing(id: GossipId): void {
    const missing = this.#missing.get(id)
    if (!missing) return
    this.#missing.delete(id)
    const left = this.#announced.get(missing.first)! - 1
    if (left > 0) this.#announced.set(missing.first, left)
    else this.#announced.delete(missing.first)
  }

  #sendKept(to: MemberId, id: GossipId): void {
    const gossip = this.#kept.get(id)
    const bytes = (this.#grafted.get(to) ?? 0) + (gossip?.bytes ?? 0)
    // An empty budget allows one message of any size. Otherwise a large one would never be sent.
    if (!gossip || (bytes > GRAFTED_BYTES_MAX && this.#grafted.has(to))) return
    this.#grafted.set(to, bytes)
    this.#send(to, { kind: "gossip", gossip })
  }

  #becomeEager(peer: MemberId): void {
    if (this.#lazy.delete(peer)) this.#eager.add(peer)
  }

  #becomeLazy(peer: MemberId): void {
    if (this.#eager.delete(peer)) this.#lazy.add(peer)
  }

  #send(to: MemberId, message: PlumtreeMessage<M>): void {
    this.#outputs.push({ type: "send", to, message })
  }
}
