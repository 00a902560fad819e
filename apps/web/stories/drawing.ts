import { SAMPLE_ELEMENT } from "@keymoot/tools/sample-element"

/** Elements with the fields that the board reads. */
type Element = { readonly id: string; readonly [field: string]: unknown }

/** A house, drawn in this many frames beside each other; without frames if there are none. */
export function drawing(frames: number): readonly Element[] {
  const houses = Array.from({ length: Math.max(1, frames) }, (_, at) => house(at * 500))
  const framed = Array.from({ length: frames }, (_, at) => ({
    ...shape("frame", at * 500 - 40, -60, 400, 360),
    name: null,
  }))
  return [...houses.flat(), ...framed].map((element, at) => ({ ...element, id: `e${at}`, index: `a${at}` }))
}

function house(x: number) {
  return [
    { ...shape("rectangle", x, 100, 280, 160), backgroundColor: "#a5d8ff" },
    { ...shape("diamond", x + 60, 0, 160, 140), backgroundColor: "#ffc9c9" },
    { ...shape("ellipse", x + 110, 170, 60, 60), backgroundColor: "#ffec99" },
  ]
}

function shape(type: string, x: number, y: number, width: number, height: number) {
  return { ...SAMPLE_ELEMENT, link: null, type, x, y, width, height }
}
