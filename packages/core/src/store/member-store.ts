import type { ConferenceHandle, Member, Snapshots } from "../api/index.ts"
import { LazySnapshots } from "../client/snapshots.ts"

const stores = new WeakMap<ConferenceHandle, Snapshots<readonly Member[]>>()

/** Members of the present view, sorted by id, this one included. Returns the same store for the same conference. */
export function memberStore(conference: ConferenceHandle): Snapshots<readonly Member[]> {
  const existing = stores.get(conference)
  if (existing) return existing
  const snapshots = new LazySnapshots(() => conference.view.members)
  for (const event of ["status", "view"] as const) conference.on(event, () => snapshots.changed())
  stores.set(conference, snapshots)
  return snapshots
}
