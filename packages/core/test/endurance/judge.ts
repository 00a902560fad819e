/** Judges one lap of a conference from what its members sent, drew and delivered in it. */
import { differentLogs, type Deliveries, falseHistories } from "./histories.ts"

export const LAP_SECONDS = 60

/** Bytes in use. */
export type Memory = Pick<NodeJS.MemoryUsage, "heapUsed" | "arrayBuffers">

export type Said = {
  readonly text: string
  /** Whether its sender has delivered it itself. */
  readonly delivered: boolean
}

export type Heard = {
  readonly id: string
  /** The author's name. */
  readonly from: string
  readonly text: string
  readonly position: { readonly view: string; readonly sequence: number }
  /** It came with a history, so it is not in the order of arrival. */
  readonly transferred: boolean
}

/** A member from its entry to its end, or to the end of the lap. */
export type Presence = {
  readonly name: string
  /** Whether it was there for the whole lap. */
  readonly stayed: boolean
  /** How it ended; null if it is still there. */
  readonly ended: "left" | "crashed" | null
  readonly said: readonly Said[]
  readonly heard: readonly Heard[]
  /** Its last value of each element that it drew. */
  readonly drawn: ReadonlyMap<string, number>
  /** Its board at the end of the lap; null if it is not there any more. */
  readonly board: Readonly<Record<string, number>> | null
  /** Its messages of all laps in their order; null if it is not there any more. */
  readonly log: readonly Pick<Heard, "id" | "text">[] | null
}

/**
 * Returns what went wrong; empty for a sound lap.
 *
 * Order is compared within a view only. A partition or a crash can separate members. Until they merge, they may deliver
 * the messages of their views in different orders.
 *
 * @param deliveries of this lap and those before it
 */
export function complaintsAbout(lap: readonly Presence[], deliveries: Deliveries): string[] {
  const stayers = lap.filter(({ stayed }) => stayed)
  const present = lap.filter(({ board }) => board !== null)
  return [
    ...lap.flatMap(repeated),
    ...lap.flatMap(outOfOrder),
    ...differentPositions(lap),
    ...lost(lap, stayers),
    ...falseHistories(lap, deliveries),
    ...differentLogs(present),
    ...differentBoards(present),
    ...stayers.flatMap(lostDrawings),
  ]
}

function repeated({ name, heard }: Presence): string[] {
  const ids = heard.map(({ id }) => id)
  return heard.filter(({ id }, i) => ids.indexOf(id) < i).map(({ text }) => `${name} delivered twice: ${text}`)
}

/** Within each view. */
function outOfOrder({ name, heard }: Presence): string[] {
  const last = new Map<string, number>()
  return heard
    .filter(({ transferred }) => !transferred)
    .flatMap(({ text, position: { view, sequence } }) => {
      const before = last.get(view) ?? 0
      last.set(view, sequence)
      return sequence < before ? [`${name} delivered out of order: ${text}`] : []
    })
}

function differentPositions(lap: readonly Presence[]): string[] {
  const positions = new Map<string, string>()
  return lap.flatMap(({ name, heard }) =>
    heard.flatMap(({ id, text, position: { view, sequence } }) => {
      const position = `${view} ${sequence}`
      const first = positions.get(id) ?? position
      positions.set(id, first)
      return first === position ? [] : [`${name} has another position of: ${text}`]
    }),
  )
}

/**
 * A stayer must have what another stayer has, what stayers and leavers delivered themselves, and all of stayers. Somebody
 * who came in the lap before may get its history now, with texts that others had then.
 */
function lost(lap: readonly Presence[], stayers: readonly Presence[]): string[] {
  const said = lap.flatMap((by) =>
    by.said.filter(({ delivered }) => by.stayed || (delivered && by.ended !== "crashed")).map(({ text }) => text),
  )
  const ofLap = new Set(lap.flatMap((by) => by.said.map(({ text }) => text)))
  const heard = stayers.flatMap((by) => by.heard.filter(({ transferred, text }) => !transferred || ofLap.has(text)))
  const due = new Set([...said, ...heard.map(({ text }) => text)])
  return stayers.flatMap(({ name, heard }) => {
    const texts = new Set(heard.map(({ text }) => text))
    return [...due].filter((text) => !texts.has(text)).map((text) => `${name} lost: ${text}`)
  })
}

function differentBoards(present: readonly Presence[]): string[] {
  const [first, ...others] = present
  const shown = (board: Presence["board"]): string =>
    JSON.stringify(Object.entries(board!).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return others
    .filter(({ board }) => shown(board) !== shown(first!.board))
    .map(({ name }) => `${name} has another board than ${first!.name}`)
}

function lostDrawings({ name, drawn, board }: Presence): string[] {
  return [...drawn].filter(([key, value]) => board?.[key] !== value).map(([key]) => `${name} lost its drawing ${key}`)
}

/** Laps until code is compiled and caches are full. */
const WARM_LAPS = 5
/** Laps after these from which a slope can be told. */
const JUDGED_LAPS_MIN = 15
/** Growth in an hour that is no leak. A member that ended and stays in memory takes more in a lap. */
const GROWTH_BYTES_MAX = 8 * 1024 * 1024
/** Growth in a run of any length that is no leak: garbage, compiled code, and records on devices before they are compacted. */
const SWING_BYTES_MAX = 4 * 1024 * 1024

/** Null for a run that is too short. Array buffers hold frames, batches and keys, and lie outside the heap. */
export function growthOf(memory: readonly Memory[]): {
  readonly perHourBytes: number | null
  readonly isLeak: boolean
} {
  const judged = memory.slice(WARM_LAPS).map(({ heapUsed, arrayBuffers }) => heapUsed + arrayBuffers)
  if (judged.length < JUDGED_LAPS_MIN) return { perHourBytes: null, isLeak: false }
  const hours = (judged.length * LAP_SECONDS) / 3600
  const perHourBytes = slopeOf(judged) * (3600 / LAP_SECONDS)
  return { perHourBytes, isLeak: perHourBytes > GROWTH_BYTES_MAX + SWING_BYTES_MAX / hours }
}

/** The slope of the least squares. */
export function slopeOf(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const [above, below] = values.reduce(
    ([sum, squares], value, i) => [sum + (i - middle) * (value - mean), squares + (i - middle) ** 2],
    [0, 0],
  )
  return below === 0 ? 0 : above / below
}
