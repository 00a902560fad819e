import { ACK_BEHIND_BYTES_MAX, SLOWEST_LINE, SLOWEST_LINE_LINKS } from "../bounds/network-bounds.ts"
import type { MessageLog } from "../ordering/message-log.ts"
import type { Acknowledgement } from "../wire/messages.ts"

/** Frames retransmitted to one neighbour per heartbeat. */
const REPAIR_FRAMES_MAX = 64

/**
 * Frames held here at the last check that the member had not acknowledged, and since when. `carryingMs` grows with the
 * frames held since. Otherwise a member could hold a long one back from one other, which would blame alone.
 */
type Owed = Pick<Acknowledgement, "received" | "orderLength" | "acknowledged"> & {
  carryingMs: number
  readonly sinceMs: number
}

/** Knowledge of one member. */
type Progress = {
  /** As stated in its acknowledgements. */
  received: readonly number[]
  orderLength: number
  acknowledged: number
  /** The counts sent by its last heartbeat. Frames still missing one heartbeat later were lost with a link. */
  sentAtLast: number
  orderAtLast: number
  /** Counts received, according to its last heartbeat. */
  gotAtLast: number
  orderGotAtLast: number
  /**
   * Heartbeats without progress. Retransmission backs off with them, since on a slow link each one delays the frames
   * further.
   */
  stalls: number
  /**
   * Frames and entries that it has to acknowledge next, completely. Otherwise a member could acknowledge one item now
   * and then and delay the others for ever.
   */
  owed: Owed | null
}

/** Tracks what each member is known to hold, which members seem to have lost frames, and which make no progress. */
export class Stability {
  readonly #members: readonly Progress[]
  readonly #own: number
  /** Per sender: the count that every member holds, and a member that had no more at the last check. */
  readonly #stable: number[]
  readonly #hindmost: number[]

  constructor(memberCount: number, own: number) {
    this.#own = own
    const zeros = (): number[] => Array.from({ length: memberCount }, () => 0)
    const received = zeros()
    this.#stable = zeros()
    this.#hindmost = zeros()
    this.#members = received.map(() => ({
      received,
      orderLength: 0,
      acknowledged: 0,
      sentAtLast: 0,
      orderAtLast: 0,
      gotAtLast: 0,
      orderGotAtLast: 0,
      stalls: 0,
      owed: null,
    }))
  }

  /** As stated in the member's acknowledgements. */
  receivedBy(member: number): readonly number[] {
    return this.#members[member]!.received
  }

  /** Records what a member states that it holds. */
  acknowledge(member: number, acknowledgement: Acknowledgement, log: MessageLog, nowMs: number): void {
    const { received, orderLength, acknowledged } = acknowledgement
    const known = this.#members[member]!
    const former = known.received
    let [further, back] = [false, false]
    for (let sender = 0; sender < former.length; sender++) {
      const count = received[sender]!
      if (count > former[sender]!) further = true
      else if (count < former[sender]!) back = true
    }
    if (further) known.received = back ? received.map((count, i) => Math.max(count, former[i]!)) : received
    known.orderLength = Math.max(orderLength, known.orderLength)
    known.acknowledged = Math.max(acknowledged, known.acknowledged)
    this.watch(member, log, nowMs)
  }

  /** Compares what the member has acknowledged with what is held here. It may have sent no acknowledgement at all. */
  watch(member: number, log: MessageLog, nowMs: number): void {
    const known = this.#members[member]!
    if (!isBehind(known, log)) known.owed = null
    else {
      if (!owes(known)) known.owed = owedOf(log, nowMs)
      known.owed!.carryingMs = Math.max(known.owed!.carryingMs, carryingMs(log, known.received, log.frames.received))
    }
  }

  /** After acknowledgements: delivers what all have acknowledged, and drops what all hold. */
  settle(log: MessageLog): void {
    log.acknowledgedByOthers(this.#leastOfOthers("acknowledged", Infinity))
    this.#dropStable(log)
  }

  /** From a member's heartbeat, before `acknowledge`: which own frames to retransmit to it, and whether the ORDER. */
  missing(
    member: number,
    { received, orderLength }: Acknowledgement,
    log: MessageLog,
  ): { frames: number[]; order: boolean } {
    const known = this.#members[member]!
    const got = received[this.#own] ?? 0
    const stalled = got === known.gotAtLast && got < known.sentAtLast
    const orderStalled = orderLength === known.orderGotAtLast && orderLength < known.orderAtLast
    const upTo = Math.min(known.sentAtLast, got + REPAIR_FRAMES_MAX)
    known.stalls = stalled || orderStalled ? known.stalls + 1 : 0
    const due = isPowerOfTwo(known.stalls)
    known.gotAtLast = got
    known.orderGotAtLast = orderLength
    known.sentAtLast = log.frames.received[this.#own]!
    known.orderAtLast = log.order.length
    return {
      frames: due && stalled ? Array.from({ length: upTo - got }, (_, i) => got + 1 + i) : [],
      order: due && orderStalled,
    }
  }

  /**
   * Members that have not acknowledged all that they owed, for longer than `patienceMs` and the time in which the
   * slowest line carries it. They would close every member's window.
   */
  stalled(nowMs: number, patienceMs: number): number[] {
    return this.#members.flatMap(({ owed }, member) =>
      owed && nowMs - owed.sinceMs > patienceMs + owed.carryingMs ? [member] : [],
    )
  }

  /** True if a member other than the sequencer has not acknowledged the ORDER's oldest entry. */
  isOrderKeptBack(sequencer: number, { order }: MessageLog): boolean {
    return this.#members.some(
      ({ orderLength }, member) => orderLength <= order.first && member !== this.#own && member !== sequencer,
    )
  }

  #dropStable(log: MessageLog): void {
    const stable = this.#stable
    // Most senders have sent nothing since. In a large view only active senders cost anything.
    for (let sender = 0; sender < stable.length; sender++) {
      const received = log.frames.received[sender]!
      if (received > stable[sender]!) stable[sender] = this.#leastReceived(sender, received)
    }
    log.dropStable(stable, this.#leastOfOthers("orderLength", log.order.length))
  }

  /** Counts only grow, so a member that has no more than the stable count determines it. */
  #leastReceived(sender: number, here: number): number {
    const stable = this.#stable[sender]!
    const hindmost = this.#hindmost[sender]!
    if (this.receivedBy(hindmost)[sender] === stable && hindmost !== this.#own) return stable
    let least = here
    for (let member = 0; member < this.#members.length; member++) {
      const count = this.receivedBy(member)[sender]!
      if (count >= least || member === this.#own) continue
      least = count
      this.#hindmost[sender] = member
      if (least === stable) break
    }
    return least
  }

  #leastOfOthers(count: "acknowledged" | "orderLength", atMost: number): number {
    let least = atMost
    for (const [member, known] of this.#members.entries()) {
      if (known[count] < least && member !== this.#own) least = known[count]
    }
    return least
  }
}

function isBehind({ received, orderLength, acknowledged }: Progress, log: MessageLog): boolean {
  if (orderLength < log.order.length || acknowledged < log.acknowledge()) return true
  return log.frames.received.some((count, sender) => received[sender]! < count)
}

/** False also if nothing was recorded yet. */
function owes({ owed, received, orderLength, acknowledged }: Progress): boolean {
  if (!owed) return false
  if (orderLength < owed.orderLength || acknowledged < owed.acknowledged) return true
  return owed.received.some((count, sender) => received[sender]! < count)
}

/**
 * Time in which the slowest line carries the held frames of those senders for which `from` is lower than `to`. The line
 * of a sender carries them once for each other member. All members wait as long, the sender too, as they blame together.
 */
export function carryingMs(log: MessageLog, from: readonly number[], to: readonly number[]): number {
  const copies = Math.min(to.length - 1, SLOWEST_LINE_LINKS)
  return Math.min(ACK_BEHIND_BYTES_MAX, copies * log.heldBytes(from, to)) / SLOWEST_LINE
}

function owedOf(log: MessageLog, sinceMs: number): Owed {
  return {
    received: log.frames.snapshot,
    orderLength: log.order.length,
    acknowledged: log.acknowledge(),
    carryingMs: 0,
    sinceMs,
  }
}

function isPowerOfTwo(count: number): boolean {
  return count > 0 && (count & (count - 1)) === 0
}
