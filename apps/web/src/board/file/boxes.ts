import { getCommonBounds } from "@excalidraw/excalidraw"
import type { ExcalidrawElement } from "@excalidraw/excalidraw/element/types"
import type { Box } from "./placing.ts"

/** The smallest box around these elements, with their rotation. */
export function boxAround(elements: readonly ExcalidrawElement[]): Box {
  const [left, top, right, bottom] = getCommonBounds(elements)
  return { x: left, y: top, width: right - left, height: bottom - top }
}
