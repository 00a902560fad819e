import type { Map as YMap } from "yjs"

/** Deleted elements are kept so that an older copy does not restore them; beyond this number the oldest are dropped. */
export const TOMBSTONES_MAX = 1000
const TOMBSTONES_KEPT = 500

/** Called by the member that deleted something. Trimming twice does no harm: all members remove the same keys. */
export function trimTombstones(map: YMap<unknown>): void {
  if (map.size <= TOMBSTONES_MAX) return
  const tombstones: { id: string; updated: number }[] = []
  for (const [id, value] of map) {
    if (typeof value !== "object" || value === null) continue
    const { isDeleted, updated } = value as Record<string, unknown>
    if (isDeleted === true) tombstones.push({ id, updated: typeof updated === "number" ? updated : 0 })
  }
  if (tombstones.length <= TOMBSTONES_MAX) return
  tombstones.sort((a, b) => b.updated - a.updated)
  for (const { id } of tombstones.slice(TOMBSTONES_KEPT)) map.delete(id)
}
