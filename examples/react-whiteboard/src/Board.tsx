import type { SharedDocument } from "@keymoot/core"
import { type PointerEvent, useEffect, useState } from "react"

type Point = readonly [x: number, y: number]
type Stroke = readonly Point[]

/** Finished strokes are in the document, which everybody keeps; strokes being drawn are awareness, which nobody does. */
export function Board({ board }: { board: SharedDocument }) {
  const strokes = board.doc.getArray<Stroke>("strokes")
  const [finished, setFinished] = useState<Stroke[]>([])
  const [unfinished, setUnfinished] = useState<Stroke[]>([])

  useEffect(() => {
    const readStrokes = () => setFinished(strokes.toArray())
    const readAwareness = () =>
      setUnfinished([...board.awareness.getStates().values()].flatMap(({ stroke }) => (stroke?.length ? [stroke] : [])))
    strokes.observe(readStrokes)
    board.awareness.on("change", readAwareness)
    readStrokes()
    readAwareness()
    return () => {
      strokes.unobserve(readStrokes)
      board.awareness.off("change", readAwareness)
    }
  }, [board, strokes])

  const drawing = (): Stroke => board.awareness.getLocalState()?.["stroke"] ?? []
  const draw = (stroke: Stroke) => board.awareness.setLocalStateField("stroke", stroke)
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
      {finished.map((stroke, index) => (
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
