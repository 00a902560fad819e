import type { Awareness } from "y-protocols/awareness"
import type { Doc } from "yjs"
import type { KeymootError } from "./errors.ts"
import type { ListenOptions, Unsubscribe } from "./listening.ts"
import type { Member } from "./members.ts"

export type DocumentEvents = {
  /** Somebody handed over what was there before; replayed to late subscribers. */
  handedOver: (from: Member) => void
  /**
   * Something can never be sent (`too-large`: 31 MiB compressed), a change or the whole that newcomers need. What this member
   * changes after a change that was not sent does not reach the others either: leave, and make the document anew.
   */
  unsent: (error: KeymootError) => void
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
