import type { ConferenceHandle, ConferenceView, Member } from "@keymoot/core"
import { writeSharedBoard } from "../board/elements/writeBoard.ts"
import { type Readable, store, type Store } from "../store.ts"
import type { SecurityLog } from "./log.ts"
import { NO_PICTURES, type PictureNews, type PictureTaker } from "./pictures.ts"

/** `percent`: 0 to 99. */
type Receiving = { readonly from: Member; readonly percent: number }
/** In pieces; a transfer of fewer ends before anybody could read its progress. */
const RECEIVING_PIECES_MIN = 16

export type BoardNews = {
  /** An element of the board is too large to be sent, until it shrinks. */
  readonly boardUnsent: Store<boolean>
  /** Own elements that peers would reject, until they change; 0 after the person has hidden the notice. */
  readonly boardUnshared: Store<number>
  /** A large piece of the board is being received. */
  readonly receiving: Readable<Receiving | null>
  readonly pictures: Store<PictureNews>
  /** The board, while it is open and may be edited. */
  readonly pictureTaker: Store<PictureTaker | null>
  /**
   * The board as a file: as shown now or last, or as shared while no whiteboard is loaded or since it was closed. Null
   * if it is empty.
   */
  readonly boardWriter: Store<() => string | null>
}

/** Events of the board as a whole; its binding handles the content. */
export function openBoardNews(
  handle: ConferenceHandle,
  view: Readable<ConferenceView>,
  log: SecurityLog,
  signal: AbortSignal,
): BoardNews {
  const boardUnsent = store(false)
  const receiving = store<Receiving | null>(null)
  const board = handle.document("board")

  board.on("unsent", ({ code }) => code === "too-large" && boardUnsent.set(true), { signal })
  board.on("caughtUp", () => boardUnsent.set(false), { signal })
  board.on(
    "transferred",
    (from) => {
      receiving.set(null)
      log.append({ kind: "transferred", what: "board", from })
    },
    { signal },
  )
  board.on(
    "progress",
    ({ from, received, count }) => {
      if (count < RECEIVING_PIECES_MIN) return
      const last = received === count - 1
      receiving.set(last ? null : { from, percent: Math.floor((100 * received) / count) })
    },
    { signal },
  )
  view.subscribe(() => {
    // A member that is gone sends no further part.
    const from = receiving.get()?.from.id
    if (from && !view.get().members.some(({ id }) => id === from)) receiving.set(null)
  })

  return {
    boardUnsent,
    boardUnshared: store(0),
    receiving,
    pictures: store(NO_PICTURES),
    pictureTaker: store<PictureTaker | null>(null),
    boardWriter: store<() => string | null>(() => writeSharedBoard(board.doc.getMap("elements"))),
  }
}
