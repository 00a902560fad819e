import type { MemberHandle, UpperLayer, UpperOutput } from "./simulated-member.ts"

/** An upper layer that sends at random and takes its time to flush. */
export class PlainTraffic implements UpperLayer {
  readonly #member: MemberHandle
  readonly #untilMs: number
  /** The latest flush request of the present view. */
  #request: UpperOutput | null = null

  /** Sends until `untilMs`, so that a run can come to rest. */
  constructor(member: MemberHandle, untilMs: number) {
    this.#member = member
    this.#untilMs = untilMs
  }

  handle(output: UpperOutput): void {
    if (output.type === "view") this.#request = null
    if (output.type !== "flushRequest") return
    this.#request = output
    this.#member.after(this.#member.random.next() * 15, () => {
      if (this.#request === output) this.#member.flushed(output, new Uint8Array(0))
    })
  }

  tick(): void {
    const { group, random } = this.#member
    if (this.#member.now() > this.#untilMs || !random.chance(0.3)) return
    for (let i = random.integer(4); i > 0 && group.maySend; i--) {
      this.#member.multicast("data", random.pick(["fifo", "agreed", "agreed"]), random.bytes(8))
    }
  }
}
