import type { MemberId } from "../../members/ids.ts"
import { ANNOUNCERS_MAX, GRAFT_AFTER_MS, GRAFT_AGAIN_MS, LINK_STATES_MAX } from "../../bounds/overlay-bounds.ts"
import { isNewer, type Version } from "./link-states.ts"

type Announced = { readonly by: MemberId; version: Version }
type Missing = { announced: Announced[]; askAtMs: number }

/** Announced records that have not come, by origin: which neighbours to ask for them, and when. */
export class MissingRecords {
  readonly #missing = new Map<MemberId, Missing>()

  get size(): number {
    return this.#missing.size
  }

  announced(by: MemberId, version: Version, nowMs: number): void {
    const missing = this.#missing.get(version.origin)
    if (!missing) {
      if (this.#missing.size >= LINK_STATES_MAX) return
      this.#missing.set(version.origin, { announced: [{ by, version }], askAtMs: nowMs + GRAFT_AFTER_MS })
      return
    }
    // One place for each neighbour: otherwise one that withholds the record takes all of them.
    const earlier = missing.announced.find((announced) => announced.by === by)
    if (earlier) earlier.version = version
    else if (missing.announced.length < ANNOUNCERS_MAX) missing.announced.push({ by, version })
  }

  /**
   * The neighbours that announced this version, and so have it. A newer version stays missing, although it may be one
   * that was announced and does not exist.
   */
  came(record: Version): MemberId[] {
    const missing = this.#missing.get(record.origin)
    if (!missing) return []
    const { announced } = missing
    missing.announced = announced.filter(({ version }) => isNewer(version, record))
    if (missing.announced.length === 0) this.#missing.delete(record.origin)
    return announced.filter(({ version }) => !isNewer(record, version) && !isNewer(version, record)).map(({ by }) => by)
  }

  /** Due requests: the neighbours to ask, with the origins of the records. Each announcer is asked in turn. */
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
