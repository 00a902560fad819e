import type { ConferenceHandle } from "@keymoot/core"
import { documentStore, type DocumentState } from "@keymoot/core/store"
import { useSnapshots } from "./use-snapshots.ts"

/**
 * A shared document. Renders again after each change of it or of somebody's awareness; the result is a new object then, so it
 * serves as a dependency: `useMemo(() => state.doc.getArray("strokes").toArray(), [state])`.
 * @throws KeymootError `invalid-argument` for an invalid name
 */
export function useDocument(conference: ConferenceHandle, name: string): DocumentState {
  return useSnapshots(documentStore(conference.document(name)))
}
