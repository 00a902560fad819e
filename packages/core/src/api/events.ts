import type { MemberId } from "@keymoot/transport"
import type { AdmissionState } from "./admission-options.ts"
import type { LinkPath, OtherVersion, ServerState } from "./connections.ts"
import type { StorageState } from "./kept.ts"
import type { SecurityEvent } from "./security.ts"
import type { ConferenceView, ViewChange } from "./views.ts"

export type Unsubscribe = () => void

/** `signal` ends the subscription when it aborts. */
export type ListenOptions = { readonly signal?: AbortSignal }

/**
 * A changing value for a user interface: its present state, and a notification of changes. Both functions work without
 * their object, so React takes them directly: `useSyncExternalStore(source.subscribe, source.getSnapshot)`.
 */
export interface Snapshots<T> {
  /** Immutable, and the same object until the value changes. */
  readonly getSnapshot: () => T
  /** Calls the listener after each change, once for several changes of one turn. */
  readonly subscribe: (listener: () => void, options?: ListenOptions) => Unsubscribe
}

export type ConferenceEvents = {
  /** A view has been secured. Late subscribers get the current one at once (change.cause "created"). */
  view: (view: ConferenceView, change: ViewChange) => void
  /** `conference.view` has changed in any way (also before it is secured). Replayed to late subscribers. */
  status: (view: ConferenceView) => void
  security: (event: SecurityEvent) => void
  /** Replayed to late subscribers. */
  server: (state: ServerState) => void
  /** `conference.links` has changed. Replayed to late subscribers. */
  links: (links: ReadonlyMap<MemberId, LinkPath>) => void
  /** `conference.otherVersions` has changed. Replayed to late subscribers. */
  "other-version": (others: readonly OtherVersion[]) => void
  /** Replayed to late subscribers. */
  storage: (state: StorageState) => void
  /** `conference.admissionState` has changed. Replayed to late subscribers. */
  admission: (state: AdmissionState) => void
  /**
   * There is a new invitation. The former one only lets its holder ask a host for admission. Replayed to late
   * subscribers.
   */
  invitation: (invitation: { readonly url: string }) => void
  /** The conference is over for this member. No event follows. */
  closed: (reason: ClosedReason) => void
}

/** removed, refused: by a host. engine-failed: also in a page that returns from the back-forward cache. */
export type ClosedReason = "left" | "removed" | "refused" | "conference-over" | "opened-elsewhere" | "engine-failed"
