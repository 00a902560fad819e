import type { Awareness } from "y-protocols/awareness"
import type { Doc, Map as YMap } from "yjs"
import type { KeymootError } from "./errors.ts"
import type { ListenOptions, Unsubscribe } from "./events.ts"
import type { Member } from "./members.ts"

export type DocumentEvents = {
  /** A member has transferred the earlier content. Replayed to late subscribers. */
  transferred: (from: Member) => void
  /**
   * A change, or the whole document for newcomers, cannot be sent as it is. Replayed to late subscribers until
   * `caughtUp`.
   *
   * - `too-large`: a change of more than 31 MiB, or a document of more than 96 MiB or 31 MiB compressed.
   * - `not-permitted`: a viewer changed the document.
   *
   * Later changes of this member are not sent either until all of them can go together. The document retries at every
   * view and after each change. The application only has to delete large content, or a host to make the person an
   * editor.
   */
  unsent: (error: KeymootError) => void
  /** All changes that `unsent` reported have been sent. */
  caughtUp: () => void
  /**
   * A piece of a large change or of a transfer has arrived: `received` of `count`. `transferred` or a change follows.
   */
  progress: (progress: { readonly from: Member; readonly received: number; readonly count: number }) => void
}

export interface SharedDocument {
  readonly name: string
  /**
   * This library sets its `clientID`. Do not change it. It follows from conference, document, member and incarnation.
   * While this member is present and no viewer, others accept changes under it only from this member.
   *
   * Write in transactions. Updates that you import with `applyUpdate` also reach the others, like a transfer, without
   * changes under the client ids of present members. Do not change values in place after you have set them. A
   * transaction with a value that cannot be encoded, such as one that contains itself, is undone. It throws
   * `invalid-argument`.
   */
  readonly doc: Doc
  /**
   * Resolves when this device's copy of the document has been read into `doc`, or when there is none. A read that fails
   * is repeated until the conference is closed. Then it resolves, too.
   */
  readonly restored: Promise<void>
  /** Each member sets only its own state. States under another client id than the sender's are dropped. */
  readonly awareness: Awareness
  /** Returns the present member with this client id, for the document and its awareness. */
  memberOfClient(clientId: number): Member | undefined
  /**
   * Returns the member that wrote the present value of this key, if it has been here and no viewer since. The author of
   * another value can't be known for sure.
   */
  authorOf(map: YMap<unknown>, key: string): Member | undefined
  on<E extends keyof DocumentEvents>(event: E, listener: DocumentEvents[E], options?: ListenOptions): Unsubscribe
}

/**
 * A text that an archive holds beside the conversation, as the content of a shared document. Its exporter signs it. One
 * named `omitted` states what was left out, a line each; verifiers report it as such.
 */
export type EvidenceDocument = { readonly name: string; readonly text: string }
