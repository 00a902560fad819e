/** Bytes of a PDF; a larger one is refused unread. */
export const PDF_BYTES_MAX = 64 * 1024 * 1024
/** Pages that are put on the board at a time; a note says how many are left out. */
export const PDF_PAGES_MAX = 20
/** Pixels along the longer side of a page. */
export const PDF_PAGE_PX_MAX = 1600
/** Pixels of one picture inside a PDF; a larger one is left out by the renderer. */
export const PDF_IMAGE_PIXELS_MAX = 32 * 1024 * 1024
/** Time for one page; then the renderer is stopped, and the pages before it stay. */
export const PDF_PAGE_MS_MAX = 30_000
