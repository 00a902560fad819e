import type { ConferenceState, ConferenceStore } from "@keymoot/core/store"
import { useSyncExternalStore } from "react"

const IDLE: ConferenceState = { status: "idle" }
const idle = (): ConferenceState => IDLE
const NO_STORE: ConferenceStore = { getSnapshot: idle, subscribe: () => () => undefined }

/**
 * Is in the conference of this store while a component that calls this is mounted. Make the store once, in a handler or in
 * `useState(() => createConferenceStore(…))`: another store enters separately. `null`: not yet. On a server it enters
 * nothing.
 *
 * @example
 * const [store, setStore] = useState<ConferenceStore | null>(null)
 * const state = useConference(store)
 * if (state.status === "failed") return <p>{state.error.message}</p>
 */
export function useConference(store: ConferenceStore | null): ConferenceState {
  const { subscribe, getSnapshot } = store ?? NO_STORE
  return useSyncExternalStore(subscribe, getSnapshot, idle)
}
