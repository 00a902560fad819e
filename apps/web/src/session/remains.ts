import type { Entry } from "./order.ts"
import type { Marks } from "./marks.ts"
import type { Session } from "./session.ts"
import type { Poll } from "../tools/votes/polls.ts"

/** Content of a conference for the saved chat. */
export type SavedChat = {
  readonly id: string
  /** The conference's title; "" if it has none. */
  readonly title: string
  readonly transcript: readonly Entry[]
  /** Earlier entries are gone. */
  readonly incomplete: boolean
  readonly marks: Marks
  /** The newest first. */
  readonly polls: readonly Poll[]
}

/** The content of a conference that has ended for this person: kept while the page is open, for saving. */
export type Remains = {
  /** Null if nothing was written and no vote was opened. */
  readonly chat: SavedChat | null
  /** As a file; null for an empty board. */
  readonly board: string | null
}

export function chatOf({ handle, transcript, incomplete, marks, polls }: Session): SavedChat {
  return {
    id: handle.id,
    title: handle.title,
    transcript: transcript.get(),
    incomplete: incomplete.get(),
    marks: marks.get(),
    polls: polls.get(),
  }
}

/** Null if nothing was written, drawn or asked. */
export function remainsOf(session: Session): Remains | null {
  const board = session.boardWriter.get()()
  const chat = chatOf(session)
  const said = chat.polls.length > 0 || chat.transcript.some(({ kind }) => kind !== "notice")
  return said || board !== null ? { chat: said ? chat : null, board } : null
}
