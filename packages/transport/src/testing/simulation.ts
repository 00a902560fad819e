/**
 * A run of a whole conference from one seed: same seed, same trace. Faults until `calm`, then time to settle, then
 * `end`; what must hold is the oracle's business.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type { MemberId } from "../ids.ts"
import { EventQueue } from "./event-queue.ts"
import { Network } from "./network.ts"
import { Random } from "./random.ts"
import { memberNames, type Fault } from "./schedule.ts"
import { SimulatedMember, simulatedId, type MemberHandle, type UpperLayer, type World } from "./simulated-member.ts"
import type { TraceEvent } from "./trace.ts"

export type SimulationOptions = {
  readonly seed: number
  readonly members: number
  readonly faults: readonly Fault[]
  /** When faults stop and everybody can reach everybody. */
  readonly calmMs: number
  /** From calm to the end. */
  readonly settleMs: number
  readonly upper: (member: MemberHandle) => UpperLayer
}

const times = { heartbeatMs: 50, suspectMs: 300, joinBatchMs: 20, resendMs: 60, proposalMs: 1500, aloneAfterMs: 150 }
/** Epochs that a life may use beyond what it is known to have used when it ends. */
const EPOCH_BLOCK = 1

export class Simulation {
  readonly trace: TraceEvent[] = []
  readonly #options: SimulationOptions
  readonly #events = new EventQueue()
  readonly #random: Random
  readonly #network: Network
  readonly #world: World
  readonly #ids = new Map<string, MemberId>()
  readonly #members = new Map<string, SimulatedMember>()
  readonly #lives = new Map<string, { incarnation: number; epochFloor: number }>()

  constructor(options: SimulationOptions) {
    this.#options = options
    this.#random = new Random(options.seed)
    this.#network = new Network(this.#events, this.#random)
    const names = new Map<MemberId, string>()
    for (const name of memberNames(options.members)) {
      const id = simulatedId(name, options.seed)
      names.set(id, name)
      this.#ids.set(name, id)
      this.#lives.set(name, { incarnation: 0, epochFloor: 0 })
    }
    const { upper } = options
    this.#world = {
      events: this.#events,
      network: this.#network,
      random: this.#random,
      trace: this.trace,
      names,
      upper,
    }
  }

  run(): readonly TraceEvent[] {
    const { faults, calmMs, settleMs } = this.#options
    for (const name of this.#ids.keys()) this.#events.after(this.#random.next() * 100, () => this.#start(name))
    for (const fault of faults) this.#events.after(fault.atMs, () => this.#apply(fault))
    this.#events.after(calmMs, () => this.#calm())
    this.#events.runUntil(calmMs + settleMs)
    this.trace.push({ t: this.#events.nowMs, e: "end" })
    return this.trace
  }

  #start(name: string): void {
    if (this.#members.get(name)?.alive) return
    const life = this.#lives.get(name)!
    life.incarnation++
    if (life.incarnation > 1) this.trace.push({ t: this.#events.nowMs, e: "recover", p: name })
    const id = this.#ids.get(name)!
    const self = { id, incarnation: life.incarnation }
    const conferenceTag = sha256(utf8ToBytes("simulated conference"))
    const member = new SimulatedMember(this.#world, name, id, {
      self,
      conferenceTag,
      epochFloor: life.epochFloor,
      ...times,
    })
    this.#members.set(name, member)
    member.start((peer) => this.#lives.get(peer)!.incarnation)
  }

  #apply(fault: Fault): void {
    switch (fault.type) {
      case "crash":
        return this.#crash(fault.member)
      case "recover":
        return this.#start(fault.member)
      case "break":
        return fault.a === fault.b ? undefined : this.#network.breakLink(fault.a, fault.b)
      case "partition":
        return this.#network.partition(fault.groups)
      case "heal":
        return this.#network.partition(null)
      case "stall":
        return this.#network.stall(fault.from, fault.to, fault.forMs)
      case "slow":
        for (const name of this.#ids.keys()) this.#network.stall(fault.member, name, fault.forMs)
        return
      case "refresh":
        this.#members.get(fault.member)?.input({ type: "refresh" })
    }
  }

  #crash(name: string): void {
    const member = this.#members.get(name)
    if (!member?.alive) return
    this.#lives.get(name)!.epochFloor = member.crash() + EPOCH_BLOCK
  }

  #calm(): void {
    this.#network.partition(null)
    const alive = [...this.#members].filter(([, member]) => member.alive).map(([name]) => name)
    this.trace.push({ t: this.#events.nowMs, e: "calm", D: alive.sort() })
  }
}
