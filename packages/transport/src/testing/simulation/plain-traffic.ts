import type { Service } from "../../wire/frame.ts"
import type { MemberHandle, UpperLayer, UpperOutput } from "./upper-layer.ts"

export const SERVICES: readonly Service[] = ["unreliable", "reliable", "fifo", "causal", "agreed", "safe"]

/** An upper layer that sends at random and takes time to flush. */
export class PlainTraffic implements UpperLayer {
  readonly #member: MemberHandle
  readonly #untilMs: number
  readonly #chance: (nowMs: number) => number
  readonly #inTheMaking: number
  /** The latest flush request of the present view. */
  #request: UpperOutput | null = null
  #farewells = 0
  #viewed = false

  /**
   * Until `untilMs` it sends at each tick with the probability of that time. Then it sends once over each service, so
   * that a run can come to rest. At a flush request it sends with the probability `inTheMaking`.
   */
  constructor(member: MemberHandle, untilMs: number, chance: (nowMs: number) => number, inTheMaking = 0.5) {
    this.#chance = chance
    this.#inTheMaking = inTheMaking
    this.#member = member
    this.#untilMs = untilMs
  }

  get idle(): boolean {
    return this.#farewells === SERVICES.length
  }

  handle(output: UpperOutput): void {
    if (output.type === "view") {
      this.#viewed = true
      this.#request = null
      this.#farewells = 0
    }
    if (output.type !== "flushRequest") return
    this.#request = output
    const { random } = this.#member
    this.#member.after(random.next() * 15, () => {
      if (this.#request !== output) return
      // A message that was being prepared when the request came.
      if (output.first && this.#viewed && random.chance(this.#inTheMaking))
        this.#member.multicast("data", random.pick(SERVICES), random.bytes(8))
      this.#member.flushed(output, new Uint8Array(0))
    })
  }

  tick(): void {
    const { group, random } = this.#member
    if (this.#member.now() > this.#untilMs) return this.#sayFarewell()
    if (!random.chance(this.#chance(this.#member.now()))) return
    for (let i = random.integer(4); i > 0 && group.maySend; i--) {
      this.#member.multicast("data", random.pick(SERVICES), random.bytes(8))
    }
  }

  #sayFarewell(): void {
    const service = SERVICES[this.#farewells]
    if (service === undefined || !this.#member.group.maySend) return
    this.#farewells++
    this.#member.multicast("data", service, this.#member.random.bytes(8))
  }
}
