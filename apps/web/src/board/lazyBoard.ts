import { lazy } from "react"

/** A failure stays until the page is reloaded: React and the browser cache it. */
export class BoardNotLoaded extends Error {
  override readonly name = "BoardNotLoaded"
}

declare global {
  interface Window {
    EXCALIDRAW_ASSET_PATH?: string
  }
}

/**
 * The whiteboard is the largest part of the page and is loaded lazily. We serve its fonts: `build/excalidrawOffline.ts`
 * copies them.
 */
const loadBoard = () => Promise.all([import("./Board.tsx"), import("./fonts.ts")])

/** Loads the whiteboard while the browser is idle, so that the conference's screen is complete at once. */
export function prefetchBoard(): void {
  const load = () => void loadBoard().catch(() => undefined) // Reported when it is needed.
  if ("requestIdleCallback" in globalThis) requestIdleCallback(load)
  else setTimeout(load)
}

export const Board = lazy(async () => {
  window.EXCALIDRAW_ASSET_PATH = "/assets/excalidraw/"
  try {
    const [board, { loadFonts }] = await loadBoard()
    await loadFonts()
    return board
  } catch (cause) {
    throw new BoardNotLoaded("The whiteboard could not be loaded.", { cause })
  }
})
