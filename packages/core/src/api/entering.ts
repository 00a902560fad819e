import type { AdmissionOptions } from "./admission.ts"
import type { IceOptions } from "./connections.ts"
import type { IdentityHandle } from "./identities.ts"
import type { Authenticity, HistoryPolicy, KeyAgreementName } from "./modes.ts"

/** When a conference is. By this device's clock nobody enters before it opens, or stays when it ends. Milliseconds since 1970. */
export type TimeFrame = { readonly opensAtMs: number; readonly endsAtMs: number }

export type CreateOptions = {
  /** Origin of the server, like `https://meet.example`. */
  readonly server: string
  readonly identity: IdentityHandle
  readonly title?: string
  /** `majority` demands a roster. */
  readonly keyAgreement?: KeyAgreementName
  /** `link` unless given. */
  readonly admission?: AdmissionOptions
  readonly history?: HistoryPolicy
  /** `signature` unless given. `group` goes with every key agreement but `majority`. */
  readonly authenticity?: Authenticity
  /** Milliseconds from now, or from its opening; 24 hours unless given, 30 days at most. */
  readonly durationMs?: number
  readonly localCopy?: boolean
  readonly ice?: IceOptions
  readonly signal?: AbortSignal
}

/** A conference that is to be later: made and not entered. */
export type ScheduleOptions = Omit<CreateOptions, "localCopy" | "ice"> & {
  /** Milliseconds since 1970; its end, `durationMs` later, is at most 30 days from now. */
  readonly opensAtMs: number
}
/** Whoever made it enters it with `Conference.resume`, everybody else by its link. */
export type ScheduledConference = {
  readonly id: string
  readonly invitation: { readonly url: string }
  readonly timeFrame: TimeFrame
}
export type JoinOptions = {
  /** The invitation link, its fragment included. */
  readonly url: string
  readonly identity: IdentityHandle
  /** Keep a sealed copy of documents and logs on this device until leaving; true unless given. See {@link StorageState}. */
  readonly localCopy?: boolean
  readonly ice?: IceOptions
  readonly signal?: AbortSignal
}

export type ResumeOptions = {
  /** The conference id, as in the path of its link. */
  readonly id: string
  readonly identity: IdentityHandle
  readonly localCopy?: boolean
  readonly ice?: IceOptions
  readonly signal?: AbortSignal
}
