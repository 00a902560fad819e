import { getCommonBounds } from "@excalidraw/excalidraw"
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import type { SharedDocument } from "@keymoot/core"
import type { Session } from "../session/session.ts"
import { ZOOM_MIN } from "./follow.ts"

/** What is being drawn grows with every frame: the part that is shown moves seldom, and not with it. */
const GROWN_LOOK_MS = 500
/** In scene units. */
const ROUNDED_MAX = 1

/**
 * Shows whoever comes all of the board, where this screen is smaller than the one it was drawn on: what is there, and what is then
 * drawn beyond the edge, as of a phone. Only to who has not touched it and follows nobody: nothing moves under anybody's hand.
 */
export function lookAtAllAtFirst(
  session: Session,
  board: SharedDocument,
  api: ExcalidrawImperativeAPI,
  pane: HTMLElement,
) {
  const listening = new AbortController()
  const { signal } = listening
  const stop = (): void => listening.abort()
  let isAwaited = true
  let isLookingSoon = false
  let growing: ReturnType<typeof setTimeout> | null = null

  /** After the frame in which what has come is put on the board. */
  function lookSoon(): void {
    if (isLookingSoon) return
    isLookingSoon = true
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        isLookingSoon = false
        if (!signal.aborted && session.following.get() === null) look(api)
      }),
    )
  }

  function lookInAWhile(): void {
    growing ??= setTimeout(() => {
      growing = null
      lookSoon()
    }, GROWN_LOOK_MS)
  }

  for (const event of ["wheel", "pointerdown", "keydown"] as const)
    pane.addEventListener(event, stop, { capture: true, passive: true, signal })
  // What this device kept is there at once; what others hand over comes later.
  lookSoon()
  const handedOver = (): void => {
    if (isAwaited) lookSoon()
    isAwaited = false
  }
  board.on("handedOver", handedOver, { signal })
  signal.addEventListener(
    "abort",
    api.onChange((_elements, { scrolledOutside }) => {
      if (scrolledOutside) lookSoon()
      else lookInAWhile()
    }),
  )
  signal.addEventListener("abort", () => growing !== null && clearTimeout(growing))
  return { close: stop }
}

function look(api: ExcalidrawImperativeAPI): void {
  const elements = api.getSceneElements()
  if (elements.length === 0) return
  const { scrollX, scrollY, width, height, zoom } = api.getAppState()
  const [left, top, right, bottom] = getCommonBounds(elements)
  // All of it as shown here reaches the edge but for how it was rounded: that is not moved again and again.
  const isSeen =
    left >= -scrollX - ROUNDED_MAX &&
    top >= -scrollY - ROUNDED_MAX &&
    right <= width / zoom.value - scrollX + ROUNDED_MAX &&
    bottom <= height / zoom.value - scrollY + ROUNDED_MAX
  // Too far apart to be seen together: then the place where everybody begins is the best.
  const fits = Math.min(width / (right - left), height / (bottom - top)) >= ZOOM_MIN
  if (!isSeen && fits) api.scrollToContent(elements, { fitToContent: true, animate: false })
}
