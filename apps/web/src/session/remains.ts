import type { Entry } from "./order.ts"
import type { Marks } from "./marks.ts"
import type { Session } from "./session.ts"

/** The content of a conference that has ended for this person: kept while the page is open, for saving. */
export type Remains = {
  /** The conference's title. */
  readonly id: string
  readonly transcript: readonly Entry[]
  readonly marks: Marks
  /** As a file; null for an empty board. */
  readonly board: string | null
}

/** Null if nothing was written or drawn. */
export function remainsOf({ handle, transcript, marks, boardWriter }: Session): Remains | null {
  const board = boardWriter.get()()
  const said = transcript.get().some(({ kind }) => kind !== "notice")
  return said || board !== null
    ? { id: handle.id, transcript: said ? transcript.get() : [], marks: marks.get(), board }
    : null
}
