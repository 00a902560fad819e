import type { Map as YMap } from "yjs"

/** Deleted elements are kept so that an older copy does not restore them; beyond this number the oldest are dropped. */
export const TOMBSTONES_MAX = 1000
const TOMBSTONES_KEPT = 500
/** Others' deleted elements that a screen keeps; beyond this number it keeps none of them. */
export const SCENE_TOMBSTONES_MAX = 5000

/** Younger ones are kept: changes by members that have not seen the deletion may still be on their way. */
export const TOMBSTONE_AGE_MS_MIN = 5 * 60_000

/**
 * Called by the member that deleted something. Trimming twice does no harm: all members remove the same keys. Returns
 * the removed ones.
 * @param deletedAtMs the time of the latest deletion
 */
export function trimTombstones(map: YMap<unknown>, deletedAtMs: number): readonly string[] {
  if (map.size <= TOMBSTONES_MAX) return []
  const tombstones: { id: string; updated: number }[] = []
  for (const [id, value] of map) {
    if (typeof value !== "object" || value === null) continue
    const { isDeleted, updated } = value as Record<string, unknown>
    if (isDeleted === true) tombstones.push({ id, updated: typeof updated === "number" ? updated : 0 })
  }
  if (tombstones.length <= TOMBSTONES_MAX) return []
  tombstones.sort((a, b) => b.updated - a.updated)
  const old = tombstones.slice(TOMBSTONES_KEPT).filter(({ updated }) => updated <= deletedAtMs - TOMBSTONE_AGE_MS_MIN)
  const trimmed = old.map(({ id }) => id)
  for (const id of trimmed) map.delete(id)
  return trimmed
}
