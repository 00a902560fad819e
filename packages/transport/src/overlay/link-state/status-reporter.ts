import type { Acknowledgement, Heartbeat } from "../../wire/messages.ts"

/** The state of a member that all members of an overlay know. Null before its first heartbeat. */
export type Status = Heartbeat | null

/**
 * Interval of acknowledgements to all, per member. In a large conference they would otherwise exceed the messages. In a
 * small one the second value applies, since each costs a signature.
 */
const ACKNOWLEDGE_MS_A_MEMBER = 10
const ACKNOWLEDGE_MS_MIN = 250
/**
 * In units of the interval: an unchanged state is repeated after this. From repetitions others see that the member has
 * lost something.
 */
const REPEATED_AFTER = 3

/** Converts a group's heartbeats to broadcasts: a new view at once, the rest as often as many members can handle. */
export class StatusReporter {
  readonly #send: (status: Heartbeat) => void
  #latest: Heartbeat | null = null
  #sent: Heartbeat | null = null
  #sentMs = 0

  constructor(send: (status: Heartbeat) => void) {
    this.#send = send
  }

  /** Whether the latest state was sent. */
  get isSettled(): boolean {
    return this.#latest === this.#sent
  }

  heartbeat(heartbeat: Heartbeat): void {
    // Link state has the members that it holds up, and the view's id stands for its members.
    this.#latest = { ...heartbeat, viewMembers: [], up: [] }
  }

  acknowledgement(acknowledgement: Acknowledgement): void {
    if (this.#latest) this.#latest = { ...this.#latest, ...acknowledgement }
  }

  tick(nowMs: number, members: number): void {
    const [latest, sent] = [this.#latest, this.#sent]
    if (!latest || latest === sent) return
    const sinceTurns = (nowMs - this.#sentMs) / Math.max(ACKNOWLEDGE_MS_MIN, ACKNOWLEDGE_MS_A_MEMBER * members)
    const isNew = !sent || !saysTheSame(sent, latest)
    if (sent?.view === latest.view && sinceTurns < (isNew ? 1 : REPEATED_AFTER)) return
    this.#sent = latest
    this.#sentMs = nowMs
    this.#send(latest)
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
