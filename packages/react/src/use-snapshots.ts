import type { Snapshots } from "@keymoot/core"
import { useSyncExternalStore } from "react"

export function useSnapshots<T>({ subscribe, getSnapshot }: Snapshots<T>): T {
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot)
}
