import type { MemberId } from "../../members/ids.ts"
import { LINKING_MS } from "../../bounds/overlay-bounds.ts"

/** `linked`: a link is up, so silence counts. */
type Row = { heardAtMs: number; degree: number; linked: boolean }

/** The active set: members that have agreed with this one to be neighbours. A row expires unless it is refreshed. */
export class NeighbourTable {
  readonly #rows = new Map<MemberId, Row>()
  readonly #neighbourMs: number

  /** `neighbourMs`: a linked neighbour that is silent for longer is stale. */
  constructor(neighbourMs: number) {
    this.#neighbourMs = neighbourMs
  }

  get size(): number {
    return this.#rows.size
  }

  has(member: MemberId): boolean {
    return this.#rows.has(member)
  }

  members(): MemberId[] {
    return [...this.#rows.keys()]
  }

  add(member: MemberId, nowMs: number): void {
    this.#rows.set(member, { heardAtMs: nowMs, degree: 0, linked: false })
  }

  linked(member: MemberId, nowMs: number): void {
    const degree = this.#rows.get(member)?.degree ?? 0
    this.#rows.set(member, { heardAtMs: nowMs, degree, linked: true })
  }

  heard(member: MemberId, nowMs: number): void {
    const row = this.#rows.get(member)
    if (row) row.heardAtMs = nowMs
  }

  /** This member did not listen for `forMs`. A negative value counts as 0. */
  excuse(forMs: number, nowMs: number): void {
    if (forMs <= 0) return
    for (const row of this.#rows.values()) row.heardAtMs = Math.min(row.heardAtMs + forMs, nowMs)
  }

  /** `degree`: the number of neighbours that it reports. */
  refresh(member: MemberId, degree: number, nowMs: number): void {
    const row = this.#rows.get(member)
    if (row) Object.assign(row, { heardAtMs: nowMs, degree })
  }

  remove(member: MemberId): boolean {
    return this.#rows.delete(member)
  }

  stale(nowMs: number): MemberId[] {
    return [...this.#rows].flatMap(([member, { heardAtMs, linked }]) =>
      nowMs - heardAtMs > (linked ? this.#neighbourMs : LINKING_MS) ? [member] : [],
    )
  }

  /** The neighbour that needs this member least: the one with the most neighbours of its own. */
  mostConnected(isSpare: (member: MemberId) => boolean): MemberId | null {
    let best: { readonly member: MemberId; readonly degree: number } | null = null
    for (const [member, { degree }] of this.#rows) {
      if (isSpare(member) && (best === null || degree > best.degree)) best = { member, degree }
    }
    return best?.member ?? null
  }
}
