import type { Awareness } from "y-protocols/awareness"
import type { Doc } from "yjs"
import type { KeymootError } from "./errors.ts"
import type { ListenOptions, Unsubscribe } from "./listening.ts"
import type { Member } from "./members.ts"

export type DocumentEvents = {
  /** Somebody handed over what was there before; replayed to late subscribers. */
  handedOver: (from: Member) => void
  /**
   * Something cannot be sent as it is, a change or the whole that newcomers need: `too-large` (31 MiB compressed), or
   * `not-permitted` (a viewer changed the document). What this member changes after it does not reach the others either, until
   * all of it goes together: that is tried again at every view, and when the document has changed. Whoever takes out what is
   * large, or is made an editor, has nothing else to do.
   */
  unsent: (error: KeymootError) => void
  /** All that was told as `unsent` has been sent. */
  caughtUp: () => void
  /** A part of a large change or of what is handed over has come: `received` of `count` pieces; `handedOver` or a change follows. */
  progress: (progress: { readonly from: Member; readonly received: number; readonly count: number }) => void
}

export interface SharedDocument {
  readonly name: string
  readonly doc: Doc
  /** A member speaks for itself only: states that claim another's client id are dropped. */
  readonly awareness: Awareness
  /** The member that speaks as this awareness client, if it has spoken. */
  memberOfClient(clientId: number): Member | undefined
  on<E extends keyof DocumentEvents>(event: E, listener: DocumentEvents[E], options?: ListenOptions): Unsubscribe
}
