/** The same for every contestant: what comes back is what is measured, by one clock, and how much is under way is bounded. */
import type { Contestant } from "./contestant.ts"

const MESSAGE_BYTES = 1024
/** Without an answer. */
const UNDER_WAY_MAX = 2000
/** One answer for so many. */
const ANSWERED_AT_ONCE = 50
const ANSWER_BYTES = 8

/** The first byte of each. */
const Kind = { message: 0, answer: 1, ping: 2, pong: 3 } as const

export class Measured {
  readonly #end: Contestant
  #received = 0
  #answered = 0
  #sent = 0
  #wake: () => void = () => {}

  constructor(end: Contestant) {
    this.#end = end
    end.listen((bytes) => this.#onMessage(bytes))
  }

  /** Milliseconds from sending a message to the other's having it: half of there and back, one after the other. */
  async latencies(count: number): Promise<number[]> {
    const times: number[] = []
    for (let i = 0; i < count; i++) {
      const startMs = performance.now()
      const back = this.#woken()
      void this.#end.send(message(Kind.ping))
      await back
      times.push((performance.now() - startMs) / 2)
    }
    return times
  }

  /** Messages a second that the other one has received, after as long a time again in which it gets going. */
  async rate(forMs: number): Promise<number> {
    await this.#sendFor(forMs)
    const [from, fromMs] = [this.#answered, performance.now()]
    await this.#sendFor(forMs)
    return ((this.#answered - from) * 1000) / (performance.now() - fromMs)
  }

  async #sendFor(forMs: number): Promise<void> {
    const untilMs = performance.now() + forMs
    while (performance.now() < untilMs) {
      while (this.#sent - this.#answered < UNDER_WAY_MAX) {
        const turn = this.#end.send(message(Kind.message))
        this.#sent++
        if (turn) await turn
      }
      await this.#woken()
    }
  }

  #woken(): Promise<void> {
    return new Promise((wake) => (this.#wake = wake))
  }

  #onMessage(bytes: Uint8Array): void {
    if (bytes[0] === Kind.ping) return void this.#end.send(message(Kind.pong))
    if (bytes[0] === Kind.message) {
      if (++this.#received % ANSWERED_AT_ONCE === 0) void this.#end.send(message(Kind.answer, ANSWER_BYTES))
      return
    }
    if (bytes[0] === Kind.answer) this.#answered += ANSWERED_AT_ONCE
    this.#wake()
  }
}

/** Bytes that do not compress. */
const FILLING = crypto.getRandomValues(new Uint8Array(MESSAGE_BYTES))

function message(kind: number, bytes = MESSAGE_BYTES): Uint8Array {
  const made = FILLING.slice(0, bytes)
  made[0] = kind
  return made
}
