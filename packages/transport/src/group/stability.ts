import type { MessageLog } from "../ordering/message-log.ts"
import type { Acknowledgement } from "../wire/messages.ts"

/** Frames sent again to one neighbour per heartbeat. */
const REPAIR_FRAMES_MAX = 64

/** What every member is known to hold, who seems to have lost something, and who does not come forward. */
export class Stability {
  readonly #received: number[][]
  readonly #orderLength: number[]
  readonly #acknowledged: number[]
  /** Per member: what was sent by its last heartbeat; what is still missing one heartbeat later was lost with a link. */
  readonly #sentAtLast: number[]
  readonly #orderAtLast: number[]
  /** Per member: what it had by its last heartbeat. */
  readonly #gotAtLast: number[]
  readonly #orderGotAtLast: number[]
  /** Per member: heartbeats without progress. What is late on a slow link would be later still if it were sent again each time. */
  readonly #stalls: number[]
  /** Per member: since when it has been behind without any progress. */
  readonly #behindSinceMs: (number | null)[]
  readonly #own: number
  /** Per sender: everybody has so many. */
  readonly #stable: number[]

  constructor(memberCount: number, own: number) {
    this.#own = own
    const zeros = (): number[] => Array.from({ length: memberCount }, () => 0)
    this.#received = Array.from({ length: memberCount }, zeros)
    this.#stable = zeros()
    this.#orderLength = zeros()
    this.#acknowledged = zeros()
    this.#sentAtLast = zeros()
    this.#orderAtLast = zeros()
    this.#gotAtLast = zeros()
    this.#orderGotAtLast = zeros()
    this.#stalls = zeros()
    this.#behindSinceMs = Array.from({ length: memberCount }, () => null)
  }

  /** Takes what a member says it holds. */
  acknowledge(member: number, acknowledgement: Acknowledgement, log: MessageLog, nowMs: number): void {
    const { received, orderLength, acknowledged } = acknowledgement
    this.#noteProgress(member, acknowledgement, log, nowMs)
    const former = this.#received[member]!
    this.#received[member] = received.map((count, i) => Math.max(count, former[i]!))
    this.#orderLength[member] = Math.max(orderLength, this.#orderLength[member]!)
    this.#acknowledged[member] = Math.max(acknowledged, this.#acknowledged[member]!)
  }

  /** After acknowledgements: what all have acknowledged may be delivered, and what all hold be dropped. */
  settle(log: MessageLog): void {
    let least = Infinity
    for (const [member, place] of this.#acknowledged.entries()) if (member !== this.#own && place < least) least = place
    log.acknowledgedByOthers(least)
    this.#dropStable(log)
  }

  /** From a member's heartbeat, before it is acknowledged: which of the own frames to send again, and whether the ORDER. */
  missing(
    member: number,
    { received, orderLength }: Acknowledgement,
    log: MessageLog,
  ): { frames: number[]; order: boolean } {
    const own = this.#own
    const got = received[own] ?? 0
    const stalled = got === this.#gotAtLast[member] && got < this.#sentAtLast[member]!
    const orderStalled = orderLength === this.#orderGotAtLast[member] && orderLength < this.#orderAtLast[member]!
    const upTo = Math.min(this.#sentAtLast[member]!, got + REPAIR_FRAMES_MAX)
    this.#stalls[member] = stalled || orderStalled ? this.#stalls[member]! + 1 : 0
    const due = isPowerOfTwo(this.#stalls[member]!)
    this.#gotAtLast[member] = got
    this.#orderGotAtLast[member] = orderLength
    this.#sentAtLast[member] = log.received[own]!
    this.#orderAtLast[member] = log.orderLength
    return {
      frames: due && stalled ? Array.from({ length: upTo - got }, (_, i) => got + 1 + i) : [],
      order: due && orderStalled,
    }
  }

  /** Members that have been behind for longer than that and acknowledged nothing more: they would close every window. */
  stalled(nowMs: number, patienceMs: number): number[] {
    return this.#behindSinceMs.flatMap((sinceMs, member) =>
      sinceMs !== null && nowMs - sinceMs > patienceMs ? [member] : [],
    )
  }

  #dropStable(log: MessageLog): void {
    const stable = this.#stable
    // Of most senders nothing has come since: in a large view only those who speak cost anything.
    for (const [sender, received] of log.received.entries()) {
      if (received > stable[sender]!) stable[sender] = this.#leastReceived(sender, received)
    }
    let orderLength = log.orderLength
    for (const [member, length] of this.#orderLength.entries()) {
      if (member !== this.#own && length < orderLength) orderLength = length
    }
    log.dropStable(stable, orderLength)
  }

  #leastReceived(sender: number, here: number): number {
    let least = here
    for (const [member, row] of this.#received.entries()) {
      if (member !== this.#own && row[sender]! < least) least = row[sender]!
    }
    return least
  }

  #noteProgress(
    member: number,
    { received, orderLength, acknowledged }: Acknowledgement,
    log: MessageLog,
    nowMs: number,
  ): void {
    const former = this.#received[member]!
    const behind =
      orderLength < log.orderLength ||
      acknowledged < log.acknowledge() ||
      received.some((count, sender) => count < log.received[sender]!)
    const progress =
      orderLength > this.#orderLength[member]! ||
      acknowledged > this.#acknowledged[member]! ||
      received.some((count, i) => count > former[i]!)
    if (!behind) this.#behindSinceMs[member] = null
    else if (progress) this.#behindSinceMs[member] = nowMs
    else this.#behindSinceMs[member] ??= nowMs
  }
}

function isPowerOfTwo(count: number): boolean {
  return count > 0 && (count & (count - 1)) === 0
}
