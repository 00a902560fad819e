import type { MessageLog } from "../ordering/message-log.ts"

/** Frames sent again to one neighbour per heartbeat. */
const REPAIR_FRAMES_MAX = 64

/** What every member is known to hold, who seems to have lost something, and who does not come forward. */
export class Stability {
  readonly #received: number[][]
  readonly #orderLength: number[]
  /** Per member: what was sent by its last heartbeat; what is still missing one heartbeat later was lost with a link. */
  readonly #sentAtLast: number[]
  readonly #orderAtLast: number[]
  /** Per member: since when it has been behind without any progress. */
  readonly #behindSinceMs: (number | null)[]
  readonly #own: number

  constructor(memberCount: number, own: number) {
    this.#own = own
    const zeros = (): number[] => Array.from({ length: memberCount }, () => 0)
    this.#received = Array.from({ length: memberCount }, zeros)
    this.#orderLength = zeros()
    this.#sentAtLast = zeros()
    this.#orderAtLast = zeros()
    this.#behindSinceMs = Array.from({ length: memberCount }, () => null)
  }

  /** Takes a member's vector from its heartbeat; answers which of the own frames to send again, and whether the ORDER. */
  acknowledge(
    member: number,
    received: readonly number[],
    orderLength: number,
    log: MessageLog,
    nowMs: number,
  ): { frames: number[]; order: boolean } {
    const own = this.#own
    const got = received[own] ?? 0
    const former = this.#received[member]!
    const stalled = got === former[own] && got < this.#sentAtLast[member]!
    const orderStalled = orderLength === this.#orderLength[member] && orderLength < this.#orderAtLast[member]!
    const upTo = Math.min(this.#sentAtLast[member]!, got + REPAIR_FRAMES_MAX)
    this.#noteProgress(member, received, orderLength, log, nowMs)
    this.#received[member] = received.map((count, i) => Math.max(count, former[i]!))
    this.#orderLength[member] = Math.max(orderLength, this.#orderLength[member]!)
    this.#sentAtLast[member] = log.received[own]!
    this.#orderAtLast[member] = log.orderLength
    return {
      frames: stalled ? Array.from({ length: upTo - got }, (_, i) => got + 1 + i) : [],
      order: orderStalled,
    }
  }

  /** Members that have been behind for longer than that and acknowledged nothing more: they would close every window. */
  stalled(nowMs: number, patienceMs: number): number[] {
    return this.#behindSinceMs.flatMap((sinceMs, member) =>
      sinceMs !== null && nowMs - sinceMs > patienceMs ? [member] : [],
    )
  }

  dropStable(log: MessageLog): void {
    const own = this.#own
    const rows = this.#received.map((row, member) => (member === own ? log.received : row))
    const stable = log.received.map((_, sender) => Math.min(...rows.map((row) => row[sender]!)))
    const orders = this.#orderLength.map((length, member) => (member === own ? log.orderLength : length))
    log.dropStable(stable, Math.min(...orders))
  }

  #noteProgress(
    member: number,
    received: readonly number[],
    orderLength: number,
    log: MessageLog,
    nowMs: number,
  ): void {
    const former = this.#received[member]!
    const behind = orderLength < log.orderLength || received.some((count, sender) => count < log.received[sender]!)
    const progress = orderLength > this.#orderLength[member]! || received.some((count, i) => count > former[i]!)
    if (!behind) this.#behindSinceMs[member] = null
    else if (progress) this.#behindSinceMs[member] = nowMs
    else this.#behindSinceMs[member] ??= nowMs
  }
}
