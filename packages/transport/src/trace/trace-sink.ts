/** The trace of one engine: a bounded buffer of the events of all its conferences. */
import type { MemberId } from "../members/ids.ts"
import type { TraceLayer, TraceLevel } from "./declared-event.ts"

/** Events kept. Beyond it the oldest is dropped and counted. */
export const TRACE_EVENTS_MAX = 4096

/** Any declared event. Emit events of a declared type, which can hold no text. */
export type AnyEvent = {
  readonly level: TraceLevel
  readonly layer: TraceLayer
  readonly event: string
  readonly ids: Readonly<Record<string, number | boolean | string | null | readonly MemberId[]>>
}

export type TraceEntry = AnyEvent & {
  /** Milliseconds since 1970; in simulations since the start. */
  readonly atMs: number
  /** The member whose engine this is. */
  readonly self: MemberId
}

/** Recorded steps of the layers. Off by default; docs/embedding.md says how to switch it on. */
export type Trace = {
  /** The last 4096 events of all conferences of this engine, oldest first. Empty if the trace is off. */
  readonly entries: readonly TraceEntry[]
  /** Older events that were dropped. */
  readonly dropped: number
}

const LEVELS: readonly TraceLevel[] = ["warn", "info", "debug"]

type Setting = { readonly level: TraceLevel; readonly layers: readonly string[] }

export class TraceSink<Event extends AnyEvent = AnyEvent> {
  readonly #write: ((entry: TraceEntry) => void) | null
  #setting: Setting | null = null
  #entries: TraceEntry[] = []
  /** Index of the oldest entry, once the buffer is full. */
  #oldest = 0
  #dropped = 0

  /** `write` gets every event as it is recorded. */
  constructor(write: ((entry: TraceEntry) => void) | null = null) {
    this.#write = write
  }

  /**
   * Switches the trace on or off. `setting`: `warn`, `info` or `debug`, optionally followed by a colon and layers:
   * `debug:network,group`. Another word means `debug`. Null or nothing: off.
   */
  set(setting: string | null | undefined): this {
    const [word = "", layers = ""] = (setting ?? "").split(":")
    const level = LEVELS.find((each) => each === word) ?? "debug"
    this.#setting = word === "" ? null : { level, layers: layers.split(",").filter((layer) => layer !== "") }
    return this
  }

  record(atMs: number, self: MemberId, event: Event): void {
    if (!this.#setting || !takes(this.#setting, event)) return
    const entry: TraceEntry = { atMs, self, ...event }
    if (this.#entries.length < TRACE_EVENTS_MAX) this.#entries.push(entry)
    else {
      this.#entries[this.#oldest] = entry
      this.#oldest = (this.#oldest + 1) % TRACE_EVENTS_MAX
      this.#dropped++
    }
    this.#write?.(entry)
  }

  get trace(): Trace {
    const entries = [...this.#entries.slice(this.#oldest), ...this.#entries.slice(0, this.#oldest)]
    return { entries, dropped: this.#dropped }
  }
}

function takes({ level, layers }: Setting, event: AnyEvent): boolean {
  if (LEVELS.indexOf(event.level) > LEVELS.indexOf(level)) return false
  return layers.length === 0 || layers.includes(event.layer)
}

/** `12:00:01.250 1a2b3c4d group info member-out member=99aabbcc departure=silent` */
export function formatEntry(entry: TraceEntry, nameOf: (id: string) => string = shortId): string {
  const { atMs, self, level, layer, event, ids } = entry
  const time = new Date(atMs).toISOString().slice(11, 23)
  const named = Object.entries(ids).map(([id, value]) => `${id}=${formatValue(value, nameOf)}`)
  return [time, nameOf(self), layer, level, event, ...named].join(" ")
}

function formatValue(value: AnyEvent["ids"][string], nameOf: (id: string) => string): string {
  if (typeof value === "object" && value !== null) return value.map(nameOf).join(",")
  return typeof value === "string" && /^[\da-f]{32,64}$/u.test(value) ? nameOf(value) : String(value)
}

/** Member and view ids are longer. Their first characters tell them apart. */
export function shortId(id: string): string {
  return id.slice(0, 8)
}
