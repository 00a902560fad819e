import { slidesOf } from "../showing/slides.ts"
import type { DrawnPage } from "./pdfFile.ts"

/** Pages of one file. */
export const SAVED_PAGES_MAX = 100
/** The longer side of a page's picture. Browsers on telephones refuse canvases of more than 16 million pixels. */
export const SAVED_SIDE_PX_MAX = 3000
/** Pixels per unit of the board, for print. */
const SCALE = 2
/** A PDF viewer may refuse a page of more than 14,400 points a side. */
export const SAVED_SIDE_MAX = 14_400

type Shape = Parameters<typeof slidesOf>[0][number]
export type SavedBoard =
  | { readonly kind: "saved"; readonly pages: number; readonly leftOut: number }
  | { readonly kind: "emptyBoard" | "notSaved" }

/** Frames are the pages, in the order of the slides. Without frames the whole board is one page, named null. */
export function pagesOf<E extends Shape>(elements: readonly E[]): readonly (E | null)[] {
  const shown = elements.filter(({ isDeleted }) => !isDeleted)
  if (shown.length === 0) return []
  const frames = slidesOf(shown)
  return frames.length > 0 ? frames : [null]
}

/** Pixels of a page's picture, for its size on the board. */
export function pixelsOf(width: number, height: number): { width: number; height: number; scale: number } {
  const scale = Math.min(SCALE, SAVED_SIDE_PX_MAX / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)), scale }
}

/** A size on the board that fits a page. */
export function fitted(width: number, height: number): { width: number; height: number } {
  const factor = Math.min(1, SAVED_SIDE_MAX / Math.max(width, height))
  return { width: Math.max(1, width * factor), height: Math.max(1, height * factor) }
}

/** Draws each page and writes the file, all on this device. */
export async function saveBoardAsPdf<E extends Shape>(
  elements: readonly E[],
  draw: (frame: E | null) => Promise<DrawnPage>,
  write: (pages: readonly DrawnPage[]) => Promise<void>,
): Promise<SavedBoard> {
  const all = pagesOf(elements)
  if (all.length === 0) return { kind: "emptyBoard" }
  const pages: DrawnPage[] = []
  try {
    for (const frame of all.slice(0, SAVED_PAGES_MAX)) pages.push(await draw(frame))
    await write(pages)
  } catch {
    return { kind: "notSaved" }
  }
  return { kind: "saved", pages: pages.length, leftOut: all.length - pages.length }
}
