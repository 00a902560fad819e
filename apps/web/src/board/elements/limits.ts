/** Bounds of one element. Every member draws it: each bound keeps a hostile element from freezing the others. */

/** Scene units, from the origin. */
export const COORDINATE_MAX = 1_000_000
/** Scene units, of one element. */
export const SIZE_MAX = 100_000
/** Strokes that hatching may draw in one element: some 100 ms. */
export const HATCH_STROKES_MAX = 5_000
/** Points of one stroke of the pen: five minutes without lifting it. */
export const STROKE_POINTS_MAX = 20_000
/** Corners of a line or an arrow, each set by a click. */
export const CORNERS_MAX = 1_000
/** Scene units along a line or a stroke. */
export const PATH_LENGTH_MAX = 1_000_000
/**
 * Scene units that an arrow with a label may reach, in x or y. For it Excalidraw makes a square canvas of this side,
 * without its limit of 16,777,216 pixels for others. Three pixels per unit stay within that limit, unless the person
 * zooms in.
 */
export const LABELLED_EXTENT_MAX = 1024
/** Characters of one text. */
export const TEXT_LENGTH_MAX = 20_000
/** Excalidraw draws its random numbers from 31 bits. */
export const VERSION_MAX = 2 ** 31
/** Versions of elements that are not deleted. The rest is for deletions: each edit adds one to the version. */
export const LIVE_VERSION_MAX = VERSION_MAX / 2
/** Bytes of one shared picture. Its owner stores it too, so that it survives a reload of that page. */
export const PICTURE_BYTES_MAX = 8 * 1024 * 1024
/** Bytes of the file that a picture is made from. */
export const PICTURE_SOURCE_BYTES_MAX = 32 * 1024 * 1024
/** Pixels along the longer side of a shared picture; larger ones are scaled down. */
export const PICTURE_SIDE_PX_MAX = 2048
/**
 * Pictures of one board that a page fetches, and their total bytes: all are held in memory. `pictureBudget.ts` divides
 * them.
 */
export const PICTURES_MAX = 100
export const PICTURES_BYTES_MAX = 128 * 1024 * 1024
/** The same with deleted pictures. Excalidraw holds those until the page is closed, and undo shows them again. */
export const PICTURES_HELD_MAX = 4 * PICTURES_MAX
export const PICTURES_HELD_BYTES_MAX = 2 * PICTURES_BYTES_MAX
