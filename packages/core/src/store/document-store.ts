import type { Awareness } from "y-protocols/awareness"
import type { Doc } from "yjs"
import type { KeymootError, SharedDocument, Snapshots } from "../api/index.ts"
import { LazySnapshots } from "../client/snapshots.ts"

/**
 * State of a document. Each change of the document or of an awareness state makes a new object; `doc` and `awareness`
 * stay the same.
 */
export type DocumentState = {
  readonly document: SharedDocument
  readonly doc: Doc
  readonly awareness: Awareness
  /** Reason why this member's changes are not sent (`DocumentEvents.unsent`); null if they are. */
  readonly unsent: KeymootError | null
}

const stores = new WeakMap<SharedDocument, Snapshots<DocumentState>>()

/** Returns the same store for the same document. It follows the document for the document's lifetime. */
export function documentStore(document: SharedDocument): Snapshots<DocumentState> {
  const existing = stores.get(document)
  if (existing) return existing
  const { doc, awareness } = document
  let unsent: KeymootError | null = null
  const snapshots = new LazySnapshots<DocumentState>(() => ({ document, doc, awareness, unsent }))
  const setUnsent = (error: KeymootError | null): void => {
    unsent = error
    snapshots.changed()
  }
  doc.on("update", () => snapshots.changed())
  awareness.on("change", () => snapshots.changed())
  document.on("unsent", setUnsent)
  document.on("caughtUp", () => setUnsent(null))
  stores.set(document, snapshots)
  return snapshots
}
