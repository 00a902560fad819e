/**
 * Memory of engines while their people draw. Each whole engine has a thread of its own; the memory of pages is measured
 * too.
 */
import { figureOf, type Figure } from "../experiment/figure.ts"
import { DrawingRoom, type Heaps } from "./drawing-room.ts"

/** Changes of the board a second by a drawing member, each with a state of the pointer. */
const CHANGES = 4
const WARM_UP_TURNS = 50
const MB = 2 ** 20

export const ENGINE = "heap of an engine"
export const PAGE = "what a page holds more than before anybody drew"
export const BOARD = "heap of a copy of the board, made anew"
/** The median of the looks in the second half of the time, less that of the first half. */
export const ENGINE_GROWTH = "growth of an engine, second half to first"
export const PAGE_GROWTH = "growth of a page beyond its board's, second half to first"

export type Pace = "as fast as they can" | "of people"

/**
 * @param minutes of drawing; at the pace of people it takes as long
 * @param parts of them, each with a look at its end
 */
export async function* memory(members: number, minutes: number, pace: Pace, parts: number): AsyncGenerator<Figure> {
  const turns = Math.max(1, Math.round((minutes * 60 * CHANGES) / parts))
  const turnMs = pace === "of people" ? 1000 / CHANGES : 0
  const looks: Heaps[] = []
  const figure = (metric: string, bytes: readonly number[], event?: string): Figure =>
    figureOf(
      { experiment: "memory", n: members, ...(event !== undefined && { event }), metric, unit: "MB" },
      bytes.map((each) => each / MB),
    )
  const room = await DrawingRoom.of(members)
  try {
    // Fills caches, windows and tables of names, which are no growth.
    await room.draw(WARM_UP_TURNS, turnMs)
    for (let part = 1; part <= parts; part++) {
      await room.draw(turns, turnMs)
      // At the pace of people it comes by itself.
      if (turnMs === 0) await room.renewKey()
      const look = await room.heaps()
      looks.push(look)
      const after = `after ${Number(((part * minutes) / parts).toPrecision(3))} minutes`
      yield figure(ENGINE, look.engines, after)
      yield figure(PAGE, [look.page], after)
      yield figure(BOARD, [look.board], after)
    }
  } finally {
    await room.close()
  }
  const engine = (place: number): number => grown(looks.map(({ engines }) => engines[place]!))
  yield figure(
    ENGINE_GROWTH,
    Array.from({ length: members }, (_, place) => engine(place)),
  )
  yield figure(PAGE_GROWTH, [grown(looks.map(({ page, board }) => page - board))])
}

function grown(looks: readonly number[]): number {
  const half = looks.length / 2
  return median(looks.slice(half)) - median(looks.slice(0, half))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
