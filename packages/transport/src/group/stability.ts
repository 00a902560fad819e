import type { MessageLog } from "../ordering/message-log.ts"

/** Own bytes that may be on their way or not yet acknowledged by everybody; beyond this the sender waits. */
export const UNSTABLE_BYTES_MAX = 4 * 1024 * 1024
/** Frames sent again to one neighbour per heartbeat. */
const REPAIR_FRAMES_MAX = 64

/** What every member is known to hold, how much of one's own is not held yet, and who seems to have lost something. */
export class Stability {
  readonly #received: number[][]
  readonly #orderLength: number[]
  #unstable: { readonly sequence: number; readonly bytes: number }[] = []
  #unstableBytes = 0
  #sent = 0
  /** Per member: what was sent by its last heartbeat; what is still missing one heartbeat later was lost with a link. */
  readonly #sentAtLast: number[]
  readonly #orderAtLast: number[]

  readonly #own: number

  constructor(memberCount: number, own: number) {
    this.#own = own
    const zeros = (): number[] => Array.from({ length: memberCount }, () => 0)
    this.#received = Array.from({ length: memberCount }, zeros)
    this.#orderLength = zeros()
    this.#sentAtLast = zeros()
    this.#orderAtLast = zeros()
  }

  get windowOpen(): boolean {
    return this.#unstableBytes < UNSTABLE_BYTES_MAX
  }

  sent(sequence: number, bytes: number): void {
    this.#sent = sequence
    this.#unstable.push({ sequence, bytes })
    this.#unstableBytes += bytes
  }

  /** Takes a member's vector from its heartbeat and what this member has ordered; answers what to send again. */
  acknowledge(
    member: number,
    received: readonly number[],
    orderLength: number,
    ownOrderLength: number,
  ): { frames: number[]; order: boolean } {
    const own = this.#own
    const got = received[own] ?? 0
    const stalled = got === this.#received[member]![own] && got < this.#sentAtLast[member]!
    const orderStalled = orderLength === this.#orderLength[member] && orderLength < this.#orderAtLast[member]!
    const upTo = Math.min(this.#sentAtLast[member]!, got + REPAIR_FRAMES_MAX)
    this.#received[member] = received.map((count, i) => Math.max(count, this.#received[member]![i]!))
    this.#orderLength[member] = Math.max(orderLength, this.#orderLength[member]!)
    this.#sentAtLast[member] = this.#sent
    this.#orderAtLast[member] = ownOrderLength
    return {
      frames: stalled ? Array.from({ length: upTo - got }, (_, i) => got + 1 + i) : [],
      order: orderStalled,
    }
  }

  dropStable(log: MessageLog): void {
    const own = this.#own
    const rows = this.#received.map((row, member) => (member === own ? log.received : row))
    const stable = log.received.map((_, sender) => Math.min(...rows.map((row) => row[sender]!)))
    const orders = this.#orderLength.map((length, member) => (member === own ? log.orderLength : length))
    log.dropStable(stable, Math.min(...orders))
    this.#release(stable[own]!)
  }

  /** Alone in the view everything is stable at once. */
  dropAll(log: MessageLog): void {
    log.dropStable(log.received, log.orderLength)
    this.#release(this.#sent)
  }

  #release(upTo: number): void {
    while (this.#unstable[0] && this.#unstable[0].sequence <= upTo) this.#unstableBytes -= this.#unstable.shift()!.bytes
  }
}
