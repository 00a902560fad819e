import type { MemberId } from "@keymoot/transport"
import type { Admission } from "./admission.ts"
import type { TimeFrame } from "./entering.ts"
import type { IdentityHandle } from "./identities.ts"
import type { HistoryPolicy, KeyAgreementName } from "./modes.ts"

/** `identity`: whose page this is; the chosen one of this device, if there is one, unless given. */
export type PreviewOptions = { readonly url: string; readonly identity?: IdentityHandle }

/** What a link leads to, before anybody has entered: signed by who made it, and pinned by the link. */
export type ConferencePreview = {
  readonly id: string
  readonly title: string
  readonly timeFrame: TimeFrame
  readonly admission: Admission
  readonly history: HistoryPolicy
  readonly keyAgreement: KeyAgreementName
  /** Who made it, which need not be who sent the link. `verified`, `changedKey`: as of a {@link Member}. */
  readonly creator: {
    readonly id: MemberId
    readonly name: string
    readonly self: boolean
    readonly verified: boolean
    readonly changedKey: boolean
  }
}

/** A conference that this device has not left: it can be entered again with `Conference.resume`. */
export type KeptConference = {
  readonly id: string
  /** Null where it is not known, of conferences that an older version entered. */
  readonly about: Pick<ConferencePreview, "title" | "timeFrame"> | null
  /** When it was entered last, milliseconds since 1970. */
  readonly enteredAtMs: number
}
