import { lazy } from "react"

declare global {
  interface Window {
    EXCALIDRAW_ASSET_PATH?: string
  }
}

/** The whiteboard is the largest part of the page and comes when it is needed. Its fonts are ours: `build/excalidrawOffline.ts` puts them there. */
export const Board = lazy(async () => {
  window.EXCALIDRAW_ASSET_PATH = "/assets/excalidraw/"
  const [board, { loadFonts }] = await Promise.all([import("./Board.tsx"), import("./fonts.ts")])
  await loadFonts()
  return board
})
