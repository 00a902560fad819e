import type { ConferenceHandle } from "@keymoot/core"
import { useDocument } from "@keymoot/react"
import type { PointerEvent } from "react"
import { type Point, type Stroke, strokesIn } from "./strokes.ts"

/** Finished strokes are in the document, which everybody keeps; strokes being drawn are awareness, which nobody does. */
export function Board({ conference }: { conference: ConferenceHandle }) {
  const { doc, awareness } = useDocument(conference, "board")
  const strokes = doc.getArray<Stroke>("strokes")
  const unfinished = strokesIn([...awareness.getStates().values()].map((state) => state?.["stroke"]))

  const drawing = (): Stroke => awareness.getLocalState()?.["stroke"] ?? []
  const draw = (stroke: Stroke) => awareness.setLocalStateField("stroke", stroke)
  const handlers = {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      draw([pointOf(event)])
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      if (drawing().length > 0) draw([...drawing(), pointOf(event)])
    },
    onPointerUp: () => {
      if (drawing().length > 0) strokes.push([drawing()])
      draw([])
    },
  }
  return (
    <svg width={800} height={500} style={{ border: "1px solid", touchAction: "none" }} {...handlers}>
      {strokesIn(strokes.toArray()).map((stroke, index) => (
        <polyline key={index} points={stroke.join(" ")} fill="none" stroke="black" strokeWidth={3} />
      ))}
      {unfinished.map((stroke, index) => (
        <polyline key={index} points={stroke.join(" ")} fill="none" stroke="gray" strokeWidth={3} />
      ))}
    </svg>
  )
}

function pointOf({ nativeEvent }: PointerEvent): Point {
  return [nativeEvent.offsetX, nativeEvent.offsetY]
}
