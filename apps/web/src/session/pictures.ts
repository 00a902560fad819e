/** The reason why a picture was not added to the board. */
export type PictureRefusal = "notAPicture" | "tooLarge" | "tooMany" | "failed"

/** The progress of the board's pictures. */
export type PictureNews = {
  /** My pictures that are being prepared. */
  readonly adding: number
  /** Others' pictures that are being fetched, and their progress: 0 to 99. */
  readonly coming: number
  readonly percent: number
  /** Others' pictures that nobody here has now. */
  readonly missing: number
  /** Others' pictures beyond the places of this page. */
  readonly beyond: number
  /** The reason of the last failure. */
  readonly refused: PictureRefusal | null
}

export const NO_PICTURES: PictureNews = { adding: 0, coming: 0, percent: 0, missing: 0, beyond: 0, refused: null }

/** Adds pictures to the board; `at`: in pixels of the window, else in the middle of the visible part. */
export type PictureTaker = (files: readonly File[], at: { readonly x: number; readonly y: number } | null) => void
