import { getCommonBounds } from "@excalidraw/excalidraw"
import type { ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import type { SharedDocument } from "@keymoot/core"
import type { Session } from "../session/session.ts"
import { ZOOM_MIN } from "./follow.ts"

/** A drawing grows with every frame: the view moves rarely, and not with each frame. */
const GROWN_LOOK_MS = 500
/** In scene units. */
const ROUNDED_MAX = 1

/**
 * Shows a newcomer the whole board if this screen is smaller than the one it was drawn on. It includes later drawings
 * beyond the edge, for example from a phone. It applies only until the person has touched the board or follows
 * somebody: the view never moves while somebody draws.
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

  /** After the frame that puts the received elements on the board. */
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
  // This device's copy is available at once; other members send theirs later.
  lookSoon()
  const transferred = (): void => {
    if (isAwaited) lookSoon()
    isAwaited = false
  }
  board.on("transferred", transferred, { signal })
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
  // The whole board reaches the edge except for rounding: this avoids repeated moves.
  const isSeen =
    left >= -scrollX - ROUNDED_MAX &&
    top >= -scrollY - ROUNDED_MAX &&
    right <= width / zoom.value - scrollX + ROUNDED_MAX &&
    bottom <= height / zoom.value - scrollY + ROUNDED_MAX
  // The elements are too far apart for one view: then the common starting place is best.
  const fits = Math.min(width / (right - left), height / (bottom - top)) >= ZOOM_MIN
  if (!isSeen && fits) api.scrollToContent(elements, { fitToContent: true, animate: false })
}
