/** The trace of one conference: passes events to the engine's sink, and keeps the last views and security events. */
import type { MemberId, Trace, TraceSink } from "@keymoot/transport"
import type { EntryRules } from "../admission/entry-rules.ts"
import type { Clock } from "../platform/surroundings.ts"
import type { SecurityRecord, ViewRecord } from "../api/index.ts"
import type { LayerEvent, Tracer } from "./layer-event.ts"

/** Views and security events kept. Beyond it the oldest is dropped. */
export const DIAGNOSTIC_RECORDS_MAX = 64

export type ConferenceTraceConfig = {
  readonly self: MemberId
  readonly sink: TraceSink<LayerEvent>
  readonly clock: Clock
  readonly rules: Pick<EntryRules, "isRemoved">
}

type Changes = Pick<ViewRecord, "joined" | "gone">
const NO_CHANGES: Changes = { joined: [], gone: [] }

export class ConferenceTrace {
  readonly #config: ConferenceTraceConfig
  #views: readonly ViewRecord[] = []
  #security: readonly SecurityRecord[] = []
  /** Changes of the view whose event comes next. */
  #changes: Changes = NO_CHANGES

  constructor(config: ConferenceTraceConfig) {
    this.#config = config
  }

  readonly take: Tracer = (event) => {
    const atMs = this.#config.clock.now()
    this.#keep(event, atMs)
    this.#config.sink.record(atMs, this.#config.self, event)
  }

  get views(): readonly ViewRecord[] {
    return this.#views
  }

  get security(): readonly SecurityRecord[] {
    return this.#security
  }

  get trace(): Trace {
    return this.#config.sink.trace
  }

  #keep({ layer, event, ids }: LayerEvent, atMs: number): void {
    if (layer === "content" && event === "reported") this.#security = kept(this.#security, { ...ids, atMs })
    if (layer === "secure-group" && event === "secured") this.#onSecured(ids.epoch, atMs)
    if (layer !== "group") return
    const { joined, gone } = this.#changes
    if (event === "member-in") this.#changes = { gone, joined: [...joined, ids.member] }
    if (event === "member-out") {
      const { member } = ids
      const departure = this.#config.rules.isRemoved(member) ? "removed" : ids.departure
      this.#changes = { joined, gone: [...gone, { member, departure }] }
    }
    if (event !== "view") return
    const { epoch, members, cause } = ids
    const view = { epoch, members, cause, installedAtMs: atMs, securedAtMs: null, ...this.#changes }
    this.#changes = NO_CHANGES
    this.#views = kept(this.#views, view)
  }

  #onSecured(epoch: number, securedAtMs: number): void {
    this.#views = this.#views.map((view) => (view.epoch === epoch ? { ...view, securedAtMs } : view))
  }
}

function kept<T>(records: readonly T[], last: T): readonly T[] {
  return [...records, last].slice(-DIAGNOSTIC_RECORDS_MAX)
}
