import { getCommonBounds } from "@excalidraw/excalidraw"
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import type { SharedDocument } from "@keymoot/core"
import { ZOOM_MIN } from "./follow.ts"

/**
 * Shows whoever comes all of the board, where this screen is smaller than the one it was drawn on. Once, and only to who has
 * not touched it: nothing moves under anybody's hand.
 */
export function lookAtAllOnce(board: SharedDocument, api: ExcalidrawImperativeAPI, pane: HTMLElement) {
  const listening = new AbortController()
  const { signal } = listening
  const stop = (): void => listening.abort()

  /** After the frame in which what has come is put on the board. */
  function lookSoon(isLast: boolean): void {
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        if (signal.aborted) return
        if (isLast) stop()
        look(api)
      }),
    )
  }

  for (const event of ["wheel", "pointerdown", "keydown"] as const)
    pane.addEventListener(event, stop, { capture: true, passive: true, signal })
  // What this device kept is there at once; what others hand over comes later.
  lookSoon(false)
  board.on("handedOver", () => lookSoon(true), { signal })
  return { close: stop }
}

function look(api: ExcalidrawImperativeAPI): void {
  const elements = api.getSceneElements()
  if (elements.length === 0) return
  const { scrollX, scrollY, width, height, zoom } = api.getAppState()
  const [left, top, right, bottom] = getCommonBounds(elements)
  const isSeen =
    left >= -scrollX &&
    top >= -scrollY &&
    right <= width / zoom.value - scrollX &&
    bottom <= height / zoom.value - scrollY
  // Too far apart to be seen together: then the place where everybody begins is the best.
  const fits = Math.min(width / (right - left), height / (bottom - top)) >= ZOOM_MIN
  if (!isSeen && fits) api.scrollToContent(elements, { fitToContent: true, animate: false })
}
