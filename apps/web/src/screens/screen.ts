/** The screens of the page: one at a time. */
import type { StorageState } from "@keymoot/core"
import type { InvitationArrival } from "../arrival.ts"
import type { HowEnded } from "../ending/howEnded.ts"
import type { Invited } from "../invite/invitation.ts"
import type { Problem } from "../problem.ts"
import type { Remains } from "../session/remains.ts"
import type { Session } from "../session/session.ts"
import type { ConferenceOptions } from "./StartOptionsFields.tsx"

export type Working = "creating" | "joining" | "resuming" | "leaving"

export type Screen =
  /** `options`: the options of the attempt that failed. */
  | { readonly kind: "start"; readonly problem: Problem | null; readonly options: ConferenceOptions | null }
  | { readonly kind: "nowhere" }
  | { readonly kind: "entering"; readonly arrival: InvitationArrival; readonly problem: Problem | null }
  | { readonly kind: "working"; readonly what: Working }
  /** The conference opens later, and this person enters then. `invited`: for the creator only. */
  | {
      readonly kind: "early"
      readonly opensAtMs: number
      readonly invited: Invited | null
      readonly onEnter: () => void
    }
  /** `after`: the screen's predecessor, announced until the whole screen has been loaded. */
  | { readonly kind: "conference"; readonly session: Session; readonly after: Working }
  /** `retry` is null where a retry cannot help. */
  | {
      readonly kind: "problem"
      readonly problem: Problem
      readonly retry: (() => void) | null
      readonly remains: Remains | null
      readonly storage?: StorageState
      /** Last message of the host that refused this person. */
      readonly reason: string | null
      readonly ended?: HowEnded | null
      /** Opens the copy on this device while the server is unreachable; null if there is none. */
      readonly openCopy?: (() => void) | null
    }
