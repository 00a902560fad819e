import type { Acknowledgement, Heartbeat } from "../../wire/messages.ts"

/** The state of a member that all members of an overlay know. Null before its first heartbeat. */
export type Status = Heartbeat | null

/**
 * Interval of acknowledgements to all, per member. Each member verifies and forwards those of all others, so this bounds
 * their cost to each. In a small conference the second value applies, since each costs a signature.
 */
const ACKNOWLEDGE_MS_A_MEMBER = 30
const ACKNOWLEDGE_MS_MIN = 250
/**
 * In units of the interval: an unchanged state is repeated after this. From repetitions others see that the member has
 * lost something.
 */
const REPEATED_AFTER = 3

/** Converts a group's heartbeats to broadcasts: a new view or promise at once, the rest as often as many members can handle. */
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
    if (sent && standsTheSame(sent, latest) && sinceTurns < (isNew ? 1 : REPEATED_AFTER)) return
    this.#sent = latest
    this.#sentMs = nowMs
    this.#send(latest)
  }
}

function standsTheSame(a: Heartbeat, b: Heartbeat): boolean {
  const [one, other] = [a.promised, b.promised]
  return a.view === b.view && one.epoch === other.epoch && one.coordinator === other.coordinator
}

function saysTheSame(a: Heartbeat, b: Heartbeat): boolean {
  return (
    standsTheSame(a, b) &&
    a.orderLength === b.orderLength &&
    a.acknowledged === b.acknowledged &&
    a.received.every((count, i) => count === b.received[i])
  )
}
