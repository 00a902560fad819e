/** Work of a page's main thread, from a trace of Chromium (the JSON of its developer tools). */

export type TraceEvent = {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Microseconds. `tdur`: of processor time, which other programs on the machine do not lengthen. */
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: { readonly name?: string; readonly data?: { readonly url?: string } }
}

export const TRACE_CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"]

export type MainThread = {
  /** Time of the longest task in which a script ran; 0 if none did. */
  readonly longestTaskMs: number
  readonly scriptMs: number
  /** Frames in which a script drew or might have. */
  readonly frames: number
}

const TASKS = new Set(["RunTask", "ThreadControllerImpl::RunTask"])
const SCRIPTS = new Set(["FunctionCall", "RunMicrotasks", "EvaluateScript", "v8.callFunction"])
const FRAME = "FireAnimationFrame"
/** As Chromium calls it; the engine's worker is another thread of the same process. */
const MAIN = "CrRendererMain"

/** @throws Error if there is no main thread on which scripts of that origin ran */
export function mainThreadOf(events: readonly TraceEvent[], origin: string): MainThread {
  const named = events.filter(({ name, args }) => name === "thread_name" && args?.name === MAIN)
  const isMain = ({ pid, tid }: TraceEvent): boolean => named.some((one) => one.pid === pid && one.tid === tid)
  const call = events.find(
    (event) => event.name === "FunctionCall" && event.args?.data?.url?.startsWith(origin) && isMain(event),
  )
  if (!call) throw new Error("no script of the page in the trace")
  const own = events
    .filter(({ ph, pid, tid }) => ph === "X" && pid === call.pid && tid === call.tid)
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
  const tasks = own.filter(({ name }) => TASKS.has(name))
  const scripts = outermost(own.filter(({ name }) => SCRIPTS.has(name)))
  const frames = own.filter(({ name }) => name === FRAME)
  return {
    longestTaskMs: Math.max(0, ...tasksWith(tasks, scripts).map(msOf)),
    scriptMs: scripts.reduce((sum, script) => sum + msOf(script), 0),
    // Several callbacks of one frame begin together.
    frames: tasksWith(tasks, frames).length,
  }
}

/** Those that one of the events is in; all in the order of time, so that a long trace is read once. */
function tasksWith(tasks: readonly TraceEvent[], events: readonly TraceEvent[]): TraceEvent[] {
  let next = 0
  return tasks.filter((task) => {
    while (next < events.length && events[next]!.ts < task.ts) next++
    return next < events.length && isWithin(events[next]!, task)
  })
}

function msOf({ tdur, dur = 0 }: TraceEvent): number {
  return (tdur ?? dur) / 1000
}

function isWithin(inner: TraceEvent, outer: TraceEvent): boolean {
  return inner.ts >= outer.ts && inner.ts + (inner.dur ?? 0) <= outer.ts + (outer.dur ?? 0)
}

/** Scripts call microtasks and others: those inside of others are counted with them. */
function outermost(events: readonly TraceEvent[]): TraceEvent[] {
  const found: TraceEvent[] = []
  for (const event of events) {
    const last = found.at(-1)
    if (!last || !isWithin(event, last)) found.push(event)
  }
  return found
}
