import type { ConferenceHandle, Member } from "@keymoot/core"
import { memberStore } from "@keymoot/core/store"
import { useSnapshots } from "./use-snapshots.ts"

/** The members of the current view, sorted by id, this one included. */
export function useMembers(conference: ConferenceHandle): readonly Member[] {
  return useSnapshots(memberStore(conference))
}
