import type { Acknowledgement, Heartbeat } from "../wire/messages.ts"

/** What everybody knows of a member of an overlay; null before it has said anything. */
export type Status = Heartbeat | null

/** What is held is told to all so often for each member: of many it would be more than what is said. */
const ACKNOWLEDGE_MS_A_MEMBER = 10
/** Times that: it is said again though nothing is new. Who says the same again and again is seen to have lost something. */
const REPEATED_AFTER = 3

/** From a group's heartbeats to what all are told: a new view at once, the rest as often as so many can take. */
export class StatusTeller {
  readonly #tell: (status: Heartbeat) => void
  #latest: Heartbeat | null = null
  #told: Heartbeat | null = null
  #toldMs = 0

  constructor(tell: (status: Heartbeat) => void) {
    this.#tell = tell
  }

  heartbeat(heartbeat: Heartbeat): void {
    // Whom the member holds up says link state, who is in its view its id.
    this.#latest = { ...heartbeat, viewMembers: [], up: [] }
  }

  acknowledgement(acknowledgement: Acknowledgement): void {
    if (this.#latest) this.#latest = { ...this.#latest, ...acknowledgement }
  }

  tick(nowMs: number, members: number): void {
    const [latest, told] = [this.#latest, this.#told]
    if (!latest || latest === told) return
    const sinceTurns = (nowMs - this.#toldMs) / (ACKNOWLEDGE_MS_A_MEMBER * members)
    const isNew = !told || !saysTheSame(told, latest)
    if (told?.view === latest.view && sinceTurns < (isNew ? 1 : REPEATED_AFTER)) return
    this.#told = latest
    this.#toldMs = nowMs
    this.#tell(latest)
  }
}

function saysTheSame(a: Heartbeat, b: Heartbeat): boolean {
  return (
    a.promised.epoch === b.promised.epoch &&
    a.promised.coordinator === b.promised.coordinator &&
    a.orderLength === b.orderLength &&
    a.acknowledged === b.acknowledged &&
    a.received.every((count, i) => count === b.received[i])
  )
}
