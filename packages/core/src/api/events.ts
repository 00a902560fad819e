import type { MemberId } from "@keymoot/transport"
import type { AdmissionState } from "./admission.ts"
import type { LinkPath, ServerState } from "./connections.ts"
import type { StorageState } from "./local-copies.ts"
import type { SecurityEvent } from "./security.ts"
import type { ConferenceView, ViewChange } from "./views.ts"

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
  /** Replayed to late subscribers. */
  storage: (state: StorageState) => void
  /** `conference.admissionState` has changed. Replayed to late subscribers. */
  admission: (state: AdmissionState) => void
  /** There is another invitation: the former one only lets its bearer ask a host. Replayed to late subscribers. */
  invitation: (invitation: { readonly url: string }) => void
  /** The conference is over for this member; nothing follows. */
  closed: (reason: ClosedReason) => void
}

/** removed, refused: by a host. */
export type ClosedReason = "left" | "removed" | "refused" | "conference-over" | "opened-elsewhere" | "engine-failed"
