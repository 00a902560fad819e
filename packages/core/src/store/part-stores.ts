/** Documents, members and calls as state for a user interface. */
import type { Awareness } from "y-protocols/awareness"
import type { Doc } from "yjs"
import type {
  ConferenceHandle,
  ConferenceMedia,
  KeymootError,
  MediaParticipant,
  MediaPurpose,
  Member,
  SharedDocument,
  Snapshots,
} from "../api/index.ts"
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

const documentStores = new WeakMap<SharedDocument, Snapshots<DocumentState>>()

/** Returns the same store for the same document. It follows the document for the document's lifetime. */
export function documentStore(document: SharedDocument): Snapshots<DocumentState> {
  const existing = documentStores.get(document)
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
  documentStores.set(document, snapshots)
  return snapshots
}

const memberStores = new WeakMap<ConferenceHandle, Snapshots<readonly Member[]>>()

/** Members of the present view, sorted by id, this one included. Returns the same store for the same conference. */
export function memberStore(conference: ConferenceHandle): Snapshots<readonly Member[]> {
  const existing = memberStores.get(conference)
  if (existing) return existing
  const snapshots = new LazySnapshots(() => conference.view.members)
  for (const event of ["status", "view"] as const) conference.on(event, () => snapshots.changed())
  memberStores.set(conference, snapshots)
  return snapshots
}

/** State of the call of a conference. Each change makes a new object. */
export type MediaState = {
  readonly state: ConferenceMedia["state"]
  /** Other members in the call. */
  readonly participants: readonly MediaParticipant[]
  /** Own published tracks. */
  readonly published: ReadonlyMap<MediaPurpose, MediaStreamTrack>
  /** Whether this member sends less of its camera's video than it could, because its device is overloaded. */
  readonly videoReduced: boolean
}

const callStores = new WeakMap<ConferenceMedia, Snapshots<MediaState>>()

/** The call of a conference. Returns the same store for the same conference. Loudness changes without a snapshot. */
export function mediaStore({ media }: Pick<ConferenceHandle, "media">): Snapshots<MediaState> {
  const existing = callStores.get(media)
  if (existing) return existing
  const snapshots = new LazySnapshots<MediaState>(() => {
    const { state, participants, published, videoReduced } = media
    return { state, participants, published: new Map(published), videoReduced }
  })
  media.on("change", () => snapshots.changed())
  callStores.set(media, snapshots)
  return snapshots
}
