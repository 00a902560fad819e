import type { SharedDocument } from "@keymoot/core"
import { SAMPLE_STROKE } from "@keymoot/tools/sample-element"

/** By which a change lengthens the stroke. */
const POINTS = 2
const STROKE_POINTS_MAX = 120

/** Somebody's pen on a board: lengthens a stroke at each call, and begins another below it when it is long. */
export function pen({ doc, awareness }: SharedDocument, place: number): () => void {
  const elements = doc.getMap("elements")
  let [stroke, points] = [0, 1]
  return () => {
    if (points >= STROKE_POINTS_MAX) [stroke, points] = [stroke + 1, 1]
    points += POINTS
    const id = `drawer${place}-${stroke}`
    const left = 100 + 90 * place
    elements.set(id, strokeOf(id, left, stroke, points))
    const pointer = { x: left + points / 2, y: topOf(stroke), tool: "pointer" }
    awareness.setLocalState({ ...awareness.getLocalState(), pointer, button: "down", selectedElementIds: {} })
  }
}

const topOf = (stroke: number): number => 120 + 14 * (stroke % 40)

function strokeOf(id: string, left: number, stroke: number, count: number): object {
  const points = Array.from({ length: count }, (_, i) => [i / 2, 8 * Math.sin(i / 6)])
  const place = { x: left, y: topOf(stroke), width: count / 2, height: 16 }
  const version = { seed: 1 + stroke, version: count, versionNonce: count, updated: Date.now() }
  return { ...SAMPLE_STROKE, id, ...place, ...version, points }
}
