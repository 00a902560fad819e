import type { ConferenceHandle, ConferenceView, Member } from "@keymoot/core"
import type { Readable, Store } from "../store.ts"
import { store } from "../store.ts"
import type { SecurityLog } from "./log.ts"
import { NO_PICTURES } from "./pictures.ts"
import type { PictureNews, PictureTaker } from "./pictures.ts"

/** `percent`: 0 to 99. */
type Receiving = { readonly from: Member; readonly percent: number }
/** Pieces; what comes in fewer is there before anybody could read of it. */
const RECEIVING_PIECES_MIN = 16

export type BoardNews = {
  /** Something of the board is too large to be sent: until there is less of it. */
  readonly boardUnsent: Store<boolean>
  /** A large piece of the board is on its way here. */
  readonly receiving: Readable<Receiving | null>
  readonly pictures: Store<PictureNews>
  /** The board, while it is open and may be drawn on. */
  readonly pictureTaker: Store<PictureTaker | null>
  /** The board as a file, as it is shown or was shown last; null if nothing is on it. */
  readonly boardWriter: Store<() => string | null>
}

/** What happens to the board as a whole; what is on it, its binding says. */
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
    "handedOver",
    (from) => {
      receiving.set(null)
      log.append({ kind: "handed-over", what: "board", from })
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
    // Whoever is gone sends no more of it.
    const from = receiving.get()?.from.id
    if (from && !view.get().members.some(({ id }) => id === from)) receiving.set(null)
  })

  return {
    boardUnsent,
    receiving,
    pictures: store(NO_PICTURES),
    pictureTaker: store<PictureTaker | null>(null),
    boardWriter: store<() => string | null>(() => null),
  }
}
