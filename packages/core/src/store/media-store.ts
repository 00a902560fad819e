import type { ConferenceHandle, ConferenceMedia, MediaParticipant, MediaPurpose, Snapshots } from "../api/index.ts"
import { LazySnapshots } from "../client/snapshots.ts"

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

const stores = new WeakMap<ConferenceMedia, Snapshots<MediaState>>()

/** The call of a conference. Returns the same store for the same conference. Loudness changes without a snapshot. */
export function mediaStore({ media }: Pick<ConferenceHandle, "media">): Snapshots<MediaState> {
  const existing = stores.get(media)
  if (existing) return existing
  const snapshots = new LazySnapshots<MediaState>(() => {
    const { state, participants, published, videoReduced } = media
    return { state, participants, published: new Map(published), videoReduced }
  })
  media.on("change", () => snapshots.changed())
  stores.set(media, snapshots)
  return snapshots
}
