import { GOSSIP_KEPT_BYTES_MAX, GOSSIP_KEPT_MAX, GOSSIP_KEPT_MS, GOSSIP_SEEN_MAX } from "../../bounds/overlay-bounds.ts"
import type { Gossip, GossipId } from "./plumtree.ts"

/** Recent messages, for members that have missed them, and the ids of older ones for deduplication. */
export class KeptMessages<M> {
  /** In order of arrival. */
  readonly #kept = new Map<GossipId, { readonly gossip: Gossip<M>; readonly atMs: number }>()
  readonly #seen = new Set<GossipId>()
  #bytes = 0

  add(gossip: Gossip<M>, nowMs: number): void {
    this.#kept.set(gossip.id, { gossip, atMs: nowMs })
    this.#seen.add(gossip.id)
    this.#bytes += gossip.bytes
    while (this.#kept.size > GOSSIP_KEPT_MAX || this.#bytes > GOSSIP_KEPT_BYTES_MAX) this.#dropOldest()
    if (this.#seen.size > GOSSIP_SEEN_MAX) this.#seen.delete(this.#seen.keys().next().value!)
  }

  wasSeen(id: GossipId): boolean {
    return this.#seen.has(id)
  }

  get(id: GossipId): Gossip<M> | undefined {
    return this.#kept.get(id)?.gossip
  }

  ids(): GossipId[] {
    return [...this.#kept.keys()]
  }

  tick(nowMs: number): void {
    for (const { atMs } of this.#kept.values()) {
      if (nowMs - atMs < GOSSIP_KEPT_MS) return
      this.#dropOldest()
    }
  }

  #dropOldest(): void {
    const [id, { gossip }] = this.#kept.entries().next().value!
    this.#kept.delete(id)
    this.#bytes -= gossip.bytes
  }
}
