import { lazy } from "react"

/** It stays so until the page is loaded again: React and the browser remember it. */
export class BoardNotLoaded extends Error {
  override readonly name = "BoardNotLoaded"
}

declare global {
  interface Window {
    EXCALIDRAW_ASSET_PATH?: string
  }
}

/** The whiteboard is the largest part of the page and comes when it is needed. Its fonts are ours: `build/excalidrawOffline.ts` puts them there. */
export const Board = lazy(async () => {
  window.EXCALIDRAW_ASSET_PATH = "/assets/excalidraw/"
  try {
    const [board, { loadFonts }] = await Promise.all([import("./Board.tsx"), import("./fonts.ts")])
    await loadFonts()
    return board
  } catch (cause) {
    throw new BoardNotLoaded("The whiteboard could not be loaded.", { cause })
  }
})
