/** Data of conferences on this device. */
import type { MemberId } from "@keymoot/transport"
import type { Admission } from "./admission-options.ts"
import type { TimeFrame } from "./enter-options.ts"
import type { IdentityHandle } from "./identity-handles.ts"
import type { HistoryPolicy, KeyAgreementName, OwnModule } from "./modes.ts"

/** `identity`: the identity that previews; by default the chosen one of this device, if any. */
export type PreviewOptions = { readonly url: string; readonly identity?: IdentityHandle }

/** Description of a conference before entering. Its creator signed it, and the link pins it. */
export type ConferencePreview = {
  readonly id: string
  readonly title: string
  readonly timeFrame: TimeFrame
  /**
   * Time at which its creator ended the conference before the planned end; null if it has not. Signed by the creator. The
   * server can withhold it, and an end that another host set is not told outside.
   */
  readonly endedAtMs: number | null
  readonly admission: Admission
  readonly history: HistoryPolicy
  readonly keyAgreement: KeyAgreementName | OwnModule
  /**
   * Creator of the conference, who need not be the sender of the link. `verified`, `changedKey`: as in {@link Knock}.
   */
  readonly creator: {
    readonly id: MemberId
    readonly name: string
    readonly self: boolean
    readonly verified: boolean
    readonly changedKey: boolean
  }
}

/** A conference that this device has not left. It can enter again with `Conference.resume`. */
export type KeptConference = {
  readonly id: string
  /** Link with which others join, as this device keeps it. The hosts may have renewed it since. */
  readonly invitation: { readonly url: string }
  /** Null if unknown, for conferences that an older version entered. */
  readonly about: Pick<ConferencePreview, "title" | "timeFrame"> | null
  /** Names of the other members met last, at most 8. They are what these members called themselves. */
  readonly people: readonly string[]
  /** Time of the last entry, milliseconds since 1970. */
  readonly enteredAtMs: number
}

/**
 * State of the sealed copy of documents and logs on this device, which survives a reload.
 *
 * - kept: the copy is complete.
 * - failing: the last write failed, mostly for lack of space. New content is lost with this page unless others have it.
 *   After this person left, or a host removed or refused it: something could not be deleted.
 * - off: the application disabled it, or it was deleted because this person left, or a host removed or refused it.
 */
export type StorageState = "kept" | "failing" | "off"

/** Short private text, such as a draft, in this device's copy of the conference. It is never sent. */
export interface Note {
  /**
   * Returns the text written last, also by an earlier page; null if there is none.
   * @throws KeymootError `storage-unavailable`
   */
  read(): Promise<string | null>
  /** Returns whether the text is stored now. If not, the state is `failing` until a later write succeeds. */
  write(text: string): Promise<boolean>
}
