/** Members of one consensus in memory. Links, suspicions, crashes and the order of deliveries are entirely the script's. */
import { Consensus, type ConsensusInput, majorityOf } from "../../src/consensus/consensus.ts"
import type { ConsensusMessage } from "../../src/consensus/messages.ts"
import type { MemberId } from "@keymoot/gke"
import { memberNamed } from "../harness.ts"

type InFlight = { readonly from: number; readonly to: number; readonly message: ConsensusMessage }
type Process = {
  consensus: Consensus
  crashed: boolean
  readonly suspects: Set<number>
  proposed: string | null
  readonly decided: string[]
  readonly faults: string[]
}

const text = (value: Uint8Array): string => String.fromCodePoint(...value)
const bytes = (value: string): Uint8Array => Uint8Array.from(value, (c) => c.codePointAt(0)!)

export class ConsensusWorld {
  readonly members: readonly MemberId[]
  readonly processes: Process[]
  readonly #down = new Set<string>()
  inFlight: InFlight[] = []
  sent = 0

  constructor(count: number, options: { readonly learners?: readonly number[] } = {}) {
    this.members = Array.from({ length: count }, (_, i) => memberNamed(String(100 + i)))
    this.processes = this.members.map((_, i) => this.#process(i, !options.learners?.includes(i)))
  }

  get faultTolerance(): number {
    return this.members.length - majorityOf(this.members.length)
  }

  get crashedCount(): number {
    return this.processes.filter(({ crashed }) => crashed).length
  }

  #process(index: number, takesPart: boolean): Process {
    const suspects = new Set<number>()
    const consensus = new Consensus({
      members: this.members,
      self: this.members[index]!,
      check: (value) => text(value) !== "invalid",
      detector: { isSuspected: (member) => suspects.has(this.members.indexOf(member)) },
      takesPart,
    })
    return { consensus, crashed: false, suspects, proposed: null, decided: [], faults: [] }
  }

  /** `stopAfter`: the member crashes when it has sent so many of the messages of this step. */
  step(index: number, input: ConsensusInput, stopAfter = Infinity): void {
    const process = this.processes[index]!
    if (process.crashed) return
    let left = stopAfter
    const send = (to: number, message: ConsensusMessage): void => {
      if (left-- <= 0) process.crashed = true
      else if (to !== index && !this.isDown(index, to)) this.inFlight.push({ from: index, to, message })
      this.sent++
    }
    for (const output of process.consensus.step(input)) {
      if (process.crashed) return
      if (output.type === "send") send(this.members.indexOf(output.to), output.message)
      else if (output.type === "multicast")
        for (let to = 0; to < this.members.length && !process.crashed; to++) send(to, output.message)
      else if (output.type === "decide") process.decided.push(text(output.value))
      else process.faults.push(`${this.members.indexOf(output.member)} ${output.reason}`)
    }
  }

  propose(index: number, value = `value of ${index}`, stopAfter = Infinity): void {
    if (this.processes[index]!.crashed) return
    this.processes[index]!.proposed ??= value
    this.step(index, { type: "propose", value: bytes(value) }, stopAfter)
  }

  inject(from: number, to: number, message: ConsensusMessage): void {
    this.step(to, { type: "message", from: this.members[from]!, message })
  }

  deliver(at: number, stopAfter = Infinity): void {
    const [next] = this.inFlight.splice(at % (this.inFlight.length || 1), 1)
    if (!next || this.isDown(next.from, next.to)) return
    this.step(next.to, { type: "message", from: this.members[next.from]!, message: next.message }, stopAfter)
  }

  deliverAll(order: (length: number) => number = () => 0): void {
    for (let steps = 0; this.inFlight.length > 0; steps++) {
      if (steps > 200_000) throw new Error("the members never stop sending")
      this.deliver(order(this.inFlight.length))
    }
  }

  isDown(a: number, b: number): boolean {
    return this.#down.has(`${Math.min(a, b)} ${Math.max(a, b)}`)
  }

  unlink(a: number, b: number): void {
    this.#down.add(`${Math.min(a, b)} ${Math.max(a, b)}`)
    this.inFlight = this.inFlight.filter(({ from, to }) => !this.isDown(from, to))
  }

  link(a: number, b: number): void {
    if (!this.#down.delete(`${Math.min(a, b)} ${Math.max(a, b)}`)) return
    this.step(a, { type: "resend", to: this.members[b]! })
    this.step(b, { type: "resend", to: this.members[a]! })
  }

  suspect(index: number, whom: number, suspected = true): void {
    if (index === whom) return
    if (suspected) this.processes[index]!.suspects.add(whom)
    else this.processes[index]!.suspects.delete(whom)
    this.step(index, { type: "suspicions" })
  }

  /**
   * The eventual promise of ◇S and the links: all links between live members work, and exactly the crashed are
   * suspected.
   */
  becomeStable(order: (length: number) => number): void {
    const all = [...this.members.keys()]
    for (const a of all) for (const b of all) if (a < b) this.link(a, b)
    for (const a of all) for (const b of all) this.suspect(a, b, this.processes[b]!.crashed)
    this.deliverAll(order)
    // The member asked for the value may have crashed: asks the next, as a timeout would.
    for (const _ of all) {
      for (const a of all) if (this.processes[a]!.decided.length === 0) this.step(a, { type: "ask" })
      this.deliverAll(order)
    }
  }

  decisions(): string[] {
    return [...new Set(this.processes.flatMap(({ decided }) => decided))]
  }
}
