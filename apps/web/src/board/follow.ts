import type { AppState, ExcalidrawImperativeAPI } from "@excalidraw/excalidraw/types"
import type { SharedDocument } from "@keymoot/core"
import type { Session } from "../session/session.ts"
import { readNumber } from "./elements/fields.ts"
import { COORDINATE_MAX } from "./elements/limits.ts"

/** The part of the board that a person sees, in scene units. */
export type Seen = { readonly x: number; readonly y: number; readonly width: number; readonly height: number }
type Camera = { readonly scrollX: number; readonly scrollY: number; readonly zoom: number }

/** Ten times a second. */
const PUBLISH_INTERVAL_MS = 100
/** The field of the awareness state of the board's document; the cursor has others. */
const FIELD = "seen"
const SEEN_MIN = 1
/** Excalidraw's own bounds. */
export const ZOOM_MIN = 0.1
const ZOOM_MAX = 30

/**
 * Publishes the part of the board that I see, and shows me the part of the person that I follow, until I move the
 * board. A follower publishes nothing: two members that follow each other would otherwise move in an endless loop.
 */
export function followOthers(session: Session, board: SharedDocument, api: ExcalidrawImperativeAPI, pane: HTMLElement) {
  const { awareness } = board
  let timer: ReturnType<typeof setTimeout> | null = null

  function publish(): void {
    timer ??= setTimeout(() => {
      timer = null
      awareness.setLocalStateField(FIELD, session.following.get() === null ? seenBy(api.getAppState()) : null)
    }, PUBLISH_INTERVAL_MS)
  }

  function show(): void {
    const followed = session.following.get()
    if (followed === null) return
    for (const [clientId, state] of awareness.getStates()) {
      const seen = readSeen((state as Record<string, unknown>)[FIELD])
      if (seen === null || board.memberOfClient(clientId)?.id !== followed) continue
      const { scrollX, scrollY, zoom } = cameraFor(seen, api.getAppState())
      api.updateScene({ appState: { scrollX, scrollY, zoom: { value: zoom as AppState["zoom"]["value"] } } })
    }
  }

  const stop = () => session.following.set(null)
  const unsubscribes = [
    api.onScrollChange(publish),
    session.following.subscribe(() => {
      publish()
      show()
    }),
  ]
  awareness.on("change", show)
  // In the capture phase: Excalidraw stops these events.
  for (const event of ["wheel", "pointerdown"] as const)
    pane.addEventListener(event, stop, { capture: true, passive: true })
  publish()
  show()
  return {
    close: () => {
      for (const unsubscribe of unsubscribes) unsubscribe()
      awareness.off("change", show)
      for (const event of ["wheel", "pointerdown"] as const) pane.removeEventListener(event, stop, { capture: true })
      if (timer !== null) clearTimeout(timer)
    },
  }
}

function seenBy({ scrollX, scrollY, width, height, zoom }: AppState): Seen {
  return { x: -scrollX, y: -scrollY, width: width / zoom.value, height: height / zoom.value }
}

/** A peer's view, or null if it is invalid. */
export function readSeen(value: unknown): Seen | null {
  if (typeof value !== "object" || value === null) return null
  const { x, y, width, height } = value as Record<string, unknown>
  const seen = {
    x: readNumber(x, -COORDINATE_MAX, COORDINATE_MAX),
    y: readNumber(y, -COORDINATE_MAX, COORDINATE_MAX),
    width: readNumber(width, SEEN_MIN, COORDINATE_MAX),
    height: readNumber(height, SEEN_MIN, COORDINATE_MAX),
  }
  return Object.values(seen).includes(null) ? null : (seen as Seen)
}

/** The whole part in the middle of a screen of this size, in pixels. */
export function cameraFor(seen: Seen, { width, height }: { readonly width: number; readonly height: number }): Camera {
  const fitting = Math.min(width / seen.width, height / seen.height)
  const zoom = Math.min(Math.max(fitting, ZOOM_MIN), ZOOM_MAX)
  return {
    scrollX: width / zoom / 2 - (seen.x + seen.width / 2),
    scrollY: height / zoom / 2 - (seen.y + seen.height / 2),
    zoom,
  }
}
