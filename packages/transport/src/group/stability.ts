import type { MessageLog } from "../ordering/message-log.ts"
import type { Acknowledgement } from "../wire/messages.ts"

/**
 * Bytes per millisecond of the slowest supported line, 64 kbit/s. A member that has much to acknowledge gets the time
 * that this line needs, since all of it may be queued on its path.
 */
export const SLOWEST_LINE = 8
/** Frames retransmitted to one neighbour per heartbeat. */
const REPAIR_FRAMES_MAX = 64

/** Frames held here at the last check that the member had not acknowledged. `bytes`: their upper bound. */
type Owed = Pick<Acknowledgement, "received" | "orderLength" | "acknowledged"> & {
  readonly bytes: number
  readonly sinceMs: number
}

/** Tracks what each member is known to hold, which members seem to have lost frames, and which make no progress. */
export class Stability {
  readonly #received: (readonly number[])[]
  readonly #orderLength: number[]
  readonly #acknowledged: number[]
  /**
   * Per member: the count sent by its last heartbeat. Frames still missing one heartbeat later were lost with a link.
   */
  readonly #sentAtLast: number[]
  readonly #orderAtLast: number[]
  /** Per member: what it had by its last heartbeat. */
  readonly #gotAtLast: number[]
  readonly #orderGotAtLast: number[]
  /**
   * Per member: heartbeats without progress. Retransmission backs off with them, since on a slow link each one delays
   * the frames further.
   */
  readonly #stalls: number[]
  /** Per member: since when it has been behind without any progress. */
  readonly #behindSinceMs: (number | null)[]
  /**
   * Per member: what it has to acknowledge next, completely. Otherwise a member could acknowledge one item now and then
   * and delay the others for ever.
   */
  readonly #owed: (Owed | null)[]
  readonly #own: number
  /** Per sender: the count that every member holds, and a member that had no more at the last check. */
  readonly #stable: number[]
  readonly #hindmost: number[]

  constructor(memberCount: number, own: number) {
    this.#own = own
    const zeros = (): number[] => Array.from({ length: memberCount }, () => 0)
    const nothing = zeros()
    this.#received = nothing.map(() => nothing)
    this.#stable = zeros()
    this.#hindmost = zeros()
    this.#orderLength = zeros()
    this.#acknowledged = zeros()
    this.#sentAtLast = zeros()
    this.#orderAtLast = zeros()
    this.#gotAtLast = zeros()
    this.#orderGotAtLast = zeros()
    this.#stalls = zeros()
    this.#behindSinceMs = Array.from({ length: memberCount }, () => null)
    this.#owed = Array.from({ length: memberCount }, () => null)
  }

  /** As stated in the member's acknowledgements. */
  receivedBy(member: number): readonly number[] {
    return this.#received[member]!
  }

  /** Records what a member states that it holds. */
  acknowledge(member: number, acknowledgement: Acknowledgement, log: MessageLog, nowMs: number): void {
    const { received, orderLength, acknowledged } = acknowledgement
    const former = this.#received[member]!
    let [behind, further, back] = [false, false, false]
    for (let sender = 0; sender < former.length; sender++) {
      const count = received[sender]!
      if (count < log.frames.received[sender]!) behind = true
      if (count > former[sender]!) further = true
      else if (count < former[sender]!) back = true
    }
    behind ||= orderLength < log.order.length || acknowledged < log.acknowledge()
    const progress = further || orderLength > this.#orderLength[member]! || acknowledged > this.#acknowledged[member]!
    if (!behind) this.#behindSinceMs[member] = null
    else if (progress) this.#behindSinceMs[member] = nowMs
    else this.#behindSinceMs[member] ??= nowMs
    if (further) this.#received[member] = back ? received.map((count, i) => Math.max(count, former[i]!)) : received
    this.#orderLength[member] = Math.max(orderLength, this.#orderLength[member]!)
    this.#acknowledged[member] = Math.max(acknowledged, this.#acknowledged[member]!)
    if (!behind) this.#owed[member] = null
    else if (!this.#owes(member)) this.#owed[member] = owedOf(received, log, nowMs)
  }

  /** False also if nothing was recorded yet. */
  #owes(member: number): boolean {
    const owed = this.#owed[member]
    if (!owed) return false
    if (this.#orderLength[member]! < owed.orderLength || this.#acknowledged[member]! < owed.acknowledged) return true
    const received = this.#received[member]!
    return owed.received.some((count, sender) => received[sender]! < count)
  }

  /** After acknowledgements: delivers what all have acknowledged, and drops what all hold. */
  settle(log: MessageLog): void {
    log.acknowledgedByOthers(this.#leastOfOthers(this.#acknowledged, Infinity))
    this.#dropStable(log)
  }

  /** From a member's heartbeat, before `acknowledge`: which own frames to retransmit to it, and whether the ORDER. */
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
    this.#sentAtLast[member] = log.frames.received[own]!
    this.#orderAtLast[member] = log.order.length
    return {
      frames: due && stalled ? Array.from({ length: upTo - got }, (_, i) => got + 1 + i) : [],
      order: due && orderStalled,
    }
  }

  /**
   * Members that have been behind for longer than `patienceMs` without acknowledging anything, or not the oldest of it.
   * They would close every member's window.
   */
  stalled(nowMs: number, patienceMs: number): number[] {
    return this.#behindSinceMs.flatMap((sinceMs, member) => {
      const owed = this.#owed[member]
      const isSilent = sinceMs !== null && nowMs - sinceMs > patienceMs
      const isSlow = owed && nowMs - owed.sinceMs > patienceMs + owed.bytes / SLOWEST_LINE
      return isSilent || isSlow ? [member] : []
    })
  }

  #dropStable(log: MessageLog): void {
    const stable = this.#stable
    // Most senders have sent nothing since. In a large view only active senders cost anything.
    for (let sender = 0; sender < stable.length; sender++) {
      const received = log.frames.received[sender]!
      if (received > stable[sender]!) stable[sender] = this.#leastReceived(sender, received)
    }
    log.dropStable(stable, this.#leastOfOthers(this.#orderLength, log.order.length))
  }

  /** Counts only grow, so a member that has no more than the stable count determines it. */
  #leastReceived(sender: number, here: number): number {
    const stable = this.#stable[sender]!
    if (this.#received[this.#hindmost[sender]!]![sender] === stable && this.#hindmost[sender] !== this.#own)
      return stable
    let least = here
    for (let member = 0; member < this.#received.length; member++) {
      const count = this.#received[member]![sender]!
      if (count >= least || member === this.#own) continue
      least = count
      this.#hindmost[sender] = member
      if (least === stable) break
    }
    return least
  }

  #leastOfOthers(counts: readonly number[], atMost: number): number {
    let least = atMost
    for (let member = 0; member < counts.length; member++) {
      if (counts[member]! < least && member !== this.#own) least = counts[member]!
    }
    return least
  }
}

function owedOf(received: readonly number[], log: MessageLog, sinceMs: number): Owed {
  const { snapshot } = log.frames
  const bytes = log.heldBytes(received, snapshot)
  return { received: snapshot, orderLength: log.order.length, acknowledged: log.acknowledge(), bytes, sinceMs }
}

function isPowerOfTwo(count: number): boolean {
  return count > 0 && (count & (count - 1)) === 0
}
