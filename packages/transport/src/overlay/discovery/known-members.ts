import type { MemberId } from "../../members/ids.ts"
import { KNOWN_MAX, KNOWN_MS } from "../../bounds/overlay-bounds.ts"

/** The passive set of HyParView: members that could be neighbours, and when each was last heard of. */
export class KnownMembers {
  readonly #heardAtMs = new Map<MemberId, number>()

  heard(member: MemberId, nowMs: number): void {
    // Deleted first, so that the map stays in order of the last message.
    this.#heardAtMs.delete(member)
    this.#heardAtMs.set(member, nowMs)
    if (this.#heardAtMs.size > KNOWN_MAX) this.#heardAtMs.delete(this.#heardAtMs.keys().next().value!)
  }

  forget(member: MemberId): void {
    this.#heardAtMs.delete(member)
  }

  tick(nowMs: number): void {
    for (const [member, heardAtMs] of this.#heardAtMs) {
      if (nowMs - heardAtMs < KNOWN_MS) return
      this.#heardAtMs.delete(member)
    }
  }

  get size(): number {
    return this.#heardAtMs.size
  }

  has(member: MemberId): boolean {
    return this.#heardAtMs.has(member)
  }

  /** Picks up to `count` different members at random for which `fits` is true. `random`: uniform in [0, 1). */
  pick(count: number, random: () => number, fits: (member: MemberId) => boolean): MemberId[] {
    const left = [...this.#heardAtMs.keys()].filter(fits)
    const picked: MemberId[] = []
    while (picked.length < count && left.length > 0) {
      picked.push(...left.splice(Math.floor(random() * left.length), 1))
    }
    return picked
  }
}
