import type { MemberId } from "../../ids.ts"
import { ANNOUNCERS_MAX, GRAFT_AFTER_MS, GRAFT_AGAIN_MS, LINK_STATES_MAX } from "../bounds.ts"
import { isNewer, type Version } from "./link-states.ts"

type Announced = { readonly by: MemberId; readonly version: Version }
type Missing = { announced: Announced[]; askAtMs: number }

/** Records that neighbours have announced and that have not come, by origin: whom to ask for them, and when. */
export class MissingRecords {
  readonly #missing = new Map<MemberId, Missing>()

  announced(by: MemberId, version: Version, nowMs: number): void {
    const missing = this.#missing.get(version.origin)
    if (!missing) {
      if (this.#missing.size >= LINK_STATES_MAX) return
      this.#missing.set(version.origin, { announced: [{ by, version }], askAtMs: nowMs + GRAFT_AFTER_MS })
    } else if (missing.announced.length < ANNOUNCERS_MAX) missing.announced.push({ by, version })
  }

  /** Who has announced as much, and so has it. What is newer stays missing: somebody may have announced what there is not. */
  came(record: Version): MemberId[] {
    const missing = this.#missing.get(record.origin)
    if (!missing) return []
    const { announced } = missing
    missing.announced = announced.filter(({ version }) => isNewer(version, record))
    if (missing.announced.length === 0) this.#missing.delete(record.origin)
    return announced.filter(({ version }) => !isNewer(record, version) && !isNewer(version, record)).map(({ by }) => by)
  }

  /** Whose records to ask for now, of whom: one announcer after the other. */
  due(nowMs: number): Map<MemberId, MemberId[]> {
    const asked = new Map<MemberId, MemberId[]>()
    for (const [origin, missing] of this.#missing) {
      if (nowMs < missing.askAtMs) continue
      const next = missing.announced.shift()
      if (!next) {
        this.#missing.delete(origin)
        continue
      }
      missing.askAtMs = nowMs + GRAFT_AGAIN_MS
      const origins = asked.get(next.by)
      if (origins) origins.push(origin)
      else asked.set(next.by, [origin])
    }
    return asked
  }
}
