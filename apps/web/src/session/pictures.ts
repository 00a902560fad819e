/** Why a picture was not put on the board. */
export type PictureRefusal = "notAPicture" | "tooLarge" | "tooMany" | "failed"

/** What is happening with the pictures of the board. */
export type PictureNews = {
  /** Of mine, being made ready. */
  readonly adding: number
  /** Of others, on their way here, and how much of them is here: 0 to 99. */
  readonly coming: number
  readonly percent: number
  /** Of others, that nobody here has now. */
  readonly missing: number
  /** Of others, for which this page has no place. */
  readonly beyond: number
  /** Of the last that could not be added. */
  readonly refused: PictureRefusal | null
}

export const NO_PICTURES: PictureNews = { adding: 0, coming: 0, percent: 0, missing: 0, beyond: 0, refused: null }

/** Puts pictures on the board; `at`: in pixels of the window, else in the middle of what is seen. */
export type PictureTaker = (files: readonly File[], at: { readonly x: number; readonly y: number } | null) => void
