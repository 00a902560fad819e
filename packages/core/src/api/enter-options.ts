import type { AdmissionOptions } from "./admission-options.ts"
import type { IceOptions } from "./connections.ts"
import type { IdentityHandle } from "./identity-handles.ts"
import type { Authenticity, Cipher, HistoryPolicy, KeyAgreementName, OwnModule, PostQuantum } from "./modes.ts"

/**
 * Opening and end of a conference, in milliseconds since 1970. By this device's clock nobody enters before the opening
 * or stays after the end.
 */
export type TimeFrame = {
  readonly opensAtMs: number
  readonly endsAtMs: number
  /** Outer bound of the end: a host can extend the conference until then. */
  readonly latestEndMs: number
}

export type CreateOptions = {
  /** Origin of the server, such as `https://meet.example`. */
  readonly server: string
  readonly identity: IdentityHandle
  readonly title?: string
  /** `majority` requires a roster. */
  readonly keyAgreement?: KeyAgreementName | OwnModule
  /** `link` by default. */
  readonly admission?: AdmissionOptions
  readonly history?: HistoryPolicy
  /** `signature` by default. `group` works with every key agreement but `majority`. */
  readonly authenticity?: Authenticity
  /** `aes-256-gcm` by default. */
  readonly cipher?: Cipher | OwnModule
  /** `hybrid` by default. */
  readonly postQuantum?: PostQuantum
  /** Milliseconds from now, or from the opening; 24 hours by default, at most 30 days. */
  readonly durationMs?: number
  readonly localCopy?: boolean
  readonly ice?: IceOptions
  readonly signal?: AbortSignal
}

/** Options of a conference that opens later. It is created without being entered. */
export type ScheduleOptions = Omit<CreateOptions, "localCopy" | "ice"> & {
  /** Opening in milliseconds since 1970. The end, `durationMs` later, is at most 30 days from now. */
  readonly opensAtMs: number
}
/** A scheduled conference. Its creator enters with `Conference.resume`, all others by the link. */
export type ScheduledConference = {
  readonly id: string
  readonly invitation: { readonly url: string }
  readonly timeFrame: TimeFrame
}
export type JoinOptions = {
  /** Invitation link with its fragment. */
  readonly url: string
  readonly identity: IdentityHandle
  /**
   * Keep a sealed copy of documents and logs on this device until leaving; true by default. See {@link StorageState}.
   */
  readonly localCopy?: boolean
  readonly ice?: IceOptions
  readonly signal?: AbortSignal
}

export type OpenKeptOptions = Pick<ResumeOptions, "id" | "identity" | "signal">

export type ResumeOptions = {
  /** Conference id, as in the path of its link. */
  readonly id: string
  readonly identity: IdentityHandle
  /**
   * Enters after the end that this device knows, because a host may have extended the conference meanwhile. It closes
   * as `conference-over` within seconds if no member says so.
   */
  readonly late?: boolean
  readonly localCopy?: boolean
  readonly ice?: IceOptions
  readonly signal?: AbortSignal
}

/**
 * `forget`: delete the invitation and this device's copy of the conference; true by default. With false this device can
 * enter again with `Conference.resume`.
 */
export type LeaveOptions = { readonly forget?: boolean }
