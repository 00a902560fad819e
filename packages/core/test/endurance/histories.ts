/** Judges the histories that entrants receive, by what others have delivered. */
import { LOG_ITEMS_MAX } from "../../src/history/conference-log.ts"
import type { Heard, Presence } from "./judge.ts"

/** A log holds fewer, and the oldest are those that all logs have dropped. */
const KEPT_MAX = 2 * LOG_ITEMS_MAX

/** The messages of all laps that came from their authors, by id. */
export class Deliveries {
  readonly #kept = new Map<string, Heard>()

  add(presences: readonly Presence[]): void {
    for (const each of presences.flatMap(({ heard }) => heard)) {
      if (each.transferred || this.#kept.has(each.id)) continue
      this.#kept.set(each.id, each)
      if (this.#kept.size > KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value!)
    }
  }

  get(id: string): Heard | undefined {
    return this.#kept.get(id)
  }
}

/** A transferring member can neither invent a message nor change it. An honest one does not move it. */
export function falseHistories(lap: readonly Presence[], deliveries: Deliveries): string[] {
  return lap.flatMap(({ name, heard }) =>
    heard
      .filter(({ transferred }) => transferred)
      .flatMap(({ id, from, text, position: { view, sequence } }) => {
        const original = deliveries.get(id)
        if (original === undefined) return [`${name} has from a history what nobody delivered: ${text}`]
        if (original.text !== text || original.from !== from)
          return [`${name} has from a history an altered text: ${text}`]
        const isMoved = original.position.view !== view || original.position.sequence !== sequence
        return isMoved ? [`${name} has from a history another position of: ${text}`] : []
      }),
  )
}

/** Entrants of this lap may still wait for their history. So they may lack texts, but others have the same log. */
export function differentLogs(present: readonly Presence[]): string[] {
  const [first] = present.filter(({ stayed }) => stayed)
  if (first === undefined) return []
  return present.flatMap(({ name, stayed, log }) => {
    const ids = new Set(log!.map(({ id }) => id))
    const others = new Set(first.log!.map(({ id }) => id))
    const expected = first.log!.filter(({ id }) => ids.has(id))
    const shared = log!.filter(({ id }) => others.has(id))
    const moved = shared.find(({ id }, i) => id !== expected[i]!.id)
    const lacking = stayed ? first.log!.filter(({ id }) => !ids.has(id)) : []
    const more = log!.filter(({ id }) => !others.has(id))
    return [
      ...(moved ? [`${name} has another order in its log: ${moved.text}`] : []),
      ...lacking.map(({ text }) => `${name} lacks in its log: ${text}`),
      ...more.map(({ text }) => `${name} alone has in its log: ${text}`),
    ]
  })
}
