import type { MemberId } from "../../members/ids.ts"
import { LINKING_MS, SILENT_KEPT } from "../../bounds/overlay-bounds.ts"

/** `linked`: a link is up, so silence counts. `silent`: nothing has come for so long that no route uses it. */
type Row = { heardAtMs: number; degree: number; linked: boolean; silent: boolean }

/** The active set: members that have agreed with this one to be neighbours. A row expires unless it is refreshed. */
export class NeighbourTable {
  readonly #rows = new Map<MemberId, Row>()
  readonly #neighbourMs: number

  /** `neighbourMs`: a linked neighbour that is quiet for longer is silent. */
  constructor(neighbourMs: number) {
    this.#neighbourMs = neighbourMs
  }

  /** Number of neighbours that are not silent. */
  get size(): number {
    return [...this.#rows.values()].filter(({ silent }) => !silent).length
  }

  has(member: MemberId): boolean {
    return this.#rows.has(member)
  }

  members(): MemberId[] {
    return [...this.#rows.keys()]
  }

  add(member: MemberId, nowMs: number): void {
    this.#rows.set(member, { heardAtMs: nowMs, degree: 0, linked: false, silent: false })
  }

  linked(member: MemberId, nowMs: number): void {
    const degree = this.#rows.get(member)?.degree ?? 0
    this.#rows.set(member, { heardAtMs: nowMs, degree, linked: true, silent: false })
  }

  /** Returns true if it was silent. */
  heard(member: MemberId, nowMs: number): boolean {
    const row = this.#rows.get(member)
    const wasSilent = row?.silent ?? false
    if (row) Object.assign(row, { heardAtMs: nowMs, silent: false })
    return wasSilent
  }

  /** This member did not listen for `forMs`. A negative value counts as 0. */
  excuse(forMs: number, nowMs: number): void {
    if (forMs <= 0) return
    for (const row of this.#rows.values()) row.heardAtMs = Math.min(row.heardAtMs + forMs, nowMs)
  }

  /** `degree`: the number of neighbours that it reports. */
  refresh(member: MemberId, degree: number, nowMs: number): void {
    this.heard(member, nowMs)
    const row = this.#rows.get(member)
    if (row) row.degree = degree
  }

  remove(member: MemberId): boolean {
    return this.#rows.delete(member)
  }

  /** Those that are silent from now on. */
  silenced(nowMs: number): MemberId[] {
    const quiet = [...this.#rows].filter(
      ([, row]) => row.linked && !row.silent && isOver(row, this.#neighbourMs, nowMs),
    )
    for (const [, row] of quiet) row.silent = true
    return quiet.map(([member]) => member)
  }

  stale(nowMs: number): MemberId[] {
    return [...this.#rows].flatMap(([member, row]) => (isOver(row, this.#keptMs(row), nowMs) ? [member] : []))
  }

  /** Time after which a neighbour is silent or stale, if none is heard of before. Infinity without neighbours. */
  get nextChangeMs(): number {
    const patienceMs = (row: Row): number => (row.linked && !row.silent ? this.#neighbourMs : this.#keptMs(row))
    return Math.min(...[...this.#rows.values()].map((row) => row.heardAtMs + patienceMs(row)))
  }

  /**
   * A neighbour that does not need this member: one of those with more than `degree` neighbours of their own, if there
   * are any. Chance decides between them. Otherwise all members would drop the same one, since reports are late.
   * `random`: uniform in [0, 1).
   */
  dispensable(degree: number, isSpare: (member: MemberId) => boolean, random: () => number): MemberId | null {
    const spare = [...this.#rows].filter(([member]) => isSpare(member))
    const rich = spare.filter(([, row]) => row.degree > degree)
    const chosen = rich.length > 0 ? rich : spare
    return chosen[Math.floor(random() * chosen.length)]?.[0] ?? null
  }

  #keptMs({ linked }: Row): number {
    return linked ? SILENT_KEPT * this.#neighbourMs : LINKING_MS
  }
}

function isOver({ heardAtMs }: Row, patienceMs: number, nowMs: number): boolean {
  return nowMs - heardAtMs > patienceMs
}
