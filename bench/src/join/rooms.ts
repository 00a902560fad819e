/** The conferences that `npm run joins` compares, and the report about them. */
import type { PostQuantum } from "@keymoot/core"
import { type Figure, figureOf } from "../experiment/figure.ts"
import type { Steps } from "./page-trace.ts"

/** `build`: the packages/core/dist/browser that its pages load. */
export type RoomKind = { readonly build: string; readonly postQuantum: PostQuantum }
export type MeasuredRoom = RoomKind & { readonly runs: readonly Steps[] }

const SECURED = "secured"

export function roomsOf(builds: readonly string[], modes: readonly PostQuantum[]): RoomKind[] {
  return builds.flatMap((build) => modes.map((postQuantum) => ({ build, postQuantum })))
}

export function nameOf({ build, postQuantum }: RoomKind): string {
  return `${build}, ${postQuantum}`
}

/**
 * All steps of each room, and each room's time to "secured" beside the first room's. `roundTripMs`: of the newcomer's
 * line. Steps are given in such round trips too, with the time for computing and the rest of the way in them.
 */
export function joinsReport(rooms: readonly MeasuredRoom[], roundTripMs: number): string {
  const [first] = rooms
  const lines = rooms.map((room) => {
    const figure = securedIn(room)
    const ratio = ((figure.median / securedIn(first!).median - 1) * 100).toFixed(1)
    return `${nameOf(room)}: secured after ${rangeOf(figure)}, ${figure.runs} joins; ${ratio} % beside the first room`
  })
  return [...rooms.map((room) => stepsOf(room, roundTripMs)), lines.join("\n")].join("\n\n")
}

function stepsOf(room: MeasuredRoom, roundTripMs: number): string {
  const { runs } = room
  const names = [...new Set(runs.flatMap((steps) => Object.keys(steps)))]
  const rows = names
    .map((name) => ({ name, figure: figureOfStep(room, name) }))
    .sort((a, b) => a.figure.median - b.figure.median)
    .map(({ name, figure }) => {
      const trips = (figure.median / roundTripMs).toFixed(1)
      return `${name.padEnd(32)} ${rangeOf(figure)}, ${trips} round trips, ${figure.runs} of ${runs.length}`
    })
  return [nameOf(room), ...rows].join("\n")
}

const securedIn = (room: MeasuredRoom): Figure => figureOfStep(room, SECURED)

function figureOfStep({ runs }: MeasuredRoom, metric: string): Figure {
  const values = runs.flatMap((steps) => steps[metric] ?? [])
  return figureOf({ experiment: "joins", metric, unit: "ms" }, values)
}

const rangeOf = ({ median, min, max }: Figure): string => `${median} ms (${min} to ${max})`
