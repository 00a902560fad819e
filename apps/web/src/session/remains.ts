import type { Entry } from "./order.ts"
import type { Marks } from "./marks.ts"
import type { Session } from "./session.ts"

/** The content of a conference that has ended for this person: kept while the page is open, for saving. */
export type Remains = {
  /** The conference's title. */
  readonly id: string
  readonly transcript: readonly Entry[]
  /** Earlier entries are gone. */
  readonly incomplete: boolean
  readonly marks: Marks
  /** As a file; null for an empty board. */
  readonly board: string | null
}

/** Null if nothing was written or drawn. */
export function remainsOf({ handle, transcript, incomplete, marks, boardWriter }: Session): Remains | null {
  const board = boardWriter.get()()
  const said = transcript.get().some(({ kind }) => kind !== "notice")
  if (!said && board === null) return null
  const chat = { transcript: said ? transcript.get() : [], incomplete: incomplete.get(), marks: marks.get() }
  return { id: handle.id, ...chat, board }
}
