export type Place = { readonly x: number; readonly y: number }
/** In scene units; `x` and `y` are its upper left corner. */
export type Box = Place & { readonly width: number; readonly height: number }

/** Minimum distance from what is on the board already, in scene units. */
const GAP = 24
/** Bound on the search around the wanted place: 24 steps in each direction. */
const RINGS_MAX = 24

/**
 * The corner nearest to the wanted one at which the box covers none of the others, found in steps of half a box. Far
 * from any free place it is the one to the right of all others.
 */
export function freePlace(wanted: Box, others: readonly Box[]): Place {
  const step = { x: (wanted.width + GAP) / 2, y: (wanted.height + GAP) / 2 }
  for (let ring = 0; ring <= RINGS_MAX; ring++) {
    const free = ringOf(ring)
      .map(({ x, y }) => ({ ...wanted, x: wanted.x + x * step.x, y: wanted.y + y * step.y }))
      .find((box) => !others.some((other) => touches(box, other)))
    if (free !== undefined) return { x: free.x, y: free.y }
  }
  return { x: Math.max(...others.map(({ x, width }) => x + width)) + GAP, y: wanted.y }
}

/** The steps of one ring, those nearest to its middle first; to the right and down before to the left and up. */
function ringOf(ring: number): Place[] {
  const places: Place[] = []
  for (let x = -ring; x <= ring; x++)
    for (let y = -ring; y <= ring; y++) if (Math.max(Math.abs(x), Math.abs(y)) === ring) places.push({ x, y })
  const rank = ({ x, y }: Place): number => 4 * (x * x + y * y) - (Math.sign(x) + Math.sign(y)) / 4
  return places.toSorted((one, other) => rank(one) - rank(other))
}

function touches(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width + GAP &&
    other.x < one.x + one.width + GAP &&
    one.y < other.y + other.height + GAP &&
    other.y < one.y + one.height + GAP
  )
}
