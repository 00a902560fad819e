/**
 * A run of a whole conference from one seed: equal seeds give equal traces. Faults until `calm`, then time to settle,
 * then `end`. The oracle judges the trace.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import type { MemberId } from "../../members/ids.ts"
import { MEMBERS_MAX } from "../../wire/messages.ts"
import { Equivocator, type Lies } from "./equivocator.ts"
import { EventQueue } from "../random/event-queue.ts"
import { Network } from "./network.ts"
import { OverlayNetwork } from "./overlay-network.ts"
import { Random } from "../random/random.ts"
import { memberNames, type Fault } from "./schedule.ts"
import type { MemberLife } from "./member-life.ts"
import { SimulatedFrames } from "./simulated-frames.ts"
import { unsigned, type SimulatedSigner } from "./simulated-signer.ts"
import { TraceNames } from "./trace-names.ts"
import type { TraceEvent } from "../oracle/trace.ts"
import type { TraceSink } from "../../trace/trace-sink.ts"
import { simulatedId, type CreateMember, type World } from "./world.ts"

export type SimulationOptions = {
  readonly seed: number
  readonly members: number
  readonly faults: readonly Fault[]
  /** When faults stop and every member can reach every other. */
  readonly calmMs: number
  /** Maximum time from calm to the end. A run ends when every member is at rest. */
  readonly settleMs: number
  /** Members have a few links each, and reach the others over them. Then faults of single directions are omitted. */
  readonly overlay?: boolean
  /** The members are a fixed roster and can exchange messages outside of views. */
  readonly roster?: boolean
  readonly create: CreateMember
  readonly signer?: SimulatedSigner
  readonly lies?: Lies
  readonly trace?: TraceEvent[]
  /** Gets the trace events of all members, at virtual times. */
  readonly sink?: TraceSink
  /** Replace those of the simulation, which are short so that much happens. */
  readonly times?: Partial<typeof times>
  /** Mean one-way delay of a link. */
  readonly delayMs?: number
  readonly omitted?: World["omitted"]
  readonly progress?: { readonly everyMs: number; readonly tell: (nowMs: number) => void }
}

const times = { heartbeatMs: 80, suspectMs: 320, joinBatchMs: 20, resendMs: 60, proposalMs: 1500, aloneAfterMs: 150 }
/** A broadcast takes a few ticks to reach all members. */
const overlayTimes = {
  heartbeatMs: 400,
  suspectMs: 2500,
  joinBatchMs: 800,
  resendMs: 2500,
  proposalMs: 8000,
  aloneAfterMs: 3000,
}
const TICK_MS = { mesh: 25, overlay: 100 }
/** Epochs that an incarnation may use beyond those that it is known to have used when it ends. */
const EPOCH_BLOCK = 1
const RELOAD_MS_MAX = 150
/** All members must have been at rest at this many consecutive checks. */
const LOOKS = 4
const LOOK_MS = 100

export class Simulation {
  readonly trace: TraceEvent[]
  readonly #options: SimulationOptions
  readonly #events = new EventQueue()
  readonly #random: Random
  readonly #network: Network | OverlayNetwork
  readonly #world: World
  readonly #ids = new Map<string, MemberId>()
  readonly #members = new Map<string, MemberLife<unknown>>()
  readonly #incarnations = new Map<string, { incarnation: number; epochFloor: number }>()

  constructor(options: SimulationOptions) {
    this.#options = options
    this.trace = options.trace ?? []
    this.#random = new Random(options.seed)
    this.#network = options.overlay
      ? new OverlayNetwork(this.#events, this.#random)
      : new Network(this.#events, this.#random, options.delayMs)
    const names = new TraceNames()
    for (const name of memberNames(options.members)) {
      const id = simulatedId(name, options.seed)
      names.add(id, name)
      this.#ids.set(name, id)
      this.#incarnations.set(name, { incarnation: 0, epochFloor: 0 })
    }
    const { signer = unsigned, lies } = options
    const frames = new SimulatedFrames(signer)
    this.#world = {
      events: this.#events,
      network: this.#network,
      random: this.#random,
      trace: this.trace,
      sink: options.sink,
      names,
      ids: this.#ids,
      frames,
      lies,
      equivocator: lies && new Equivocator(this.#ids.get(lies.liar)!, lies, frames),
      tickMs: TICK_MS[options.overlay ? "overlay" : "mesh"],
      omitted: options.omitted,
      sent: new Map(),
    }
  }

  run(): readonly TraceEvent[] {
    const steps = this.#steps()
    while (!steps.next().done);
    return this.trace
  }

  /** As `run`, for members that work with promises: it waits for `settled` after each event. */
  async runWith(settled: () => Promise<void>): Promise<readonly TraceEvent[]> {
    const steps = this.#steps()
    while (!steps.next().done) await settled()
    return this.trace
  }

  *#steps(): Generator<void, void> {
    const { faults, calmMs, settleMs } = this.#options
    const absent = new Set(faults.flatMap((fault) => (fault.type === "absent" ? [fault.member] : [])))
    for (const name of this.#ids.keys()) {
      if (!absent.has(name)) this.#events.after(this.#random.next() * 100, () => this.#start(name))
    }
    for (const fault of faults) this.#events.after(fault.atMs, () => this.#apply(fault))
    this.#events.after(calmMs, () => this.#calm())
    this.#reportProgress()
    yield* this.#events.upTo(calmMs)
    yield* this.#settle(calmMs + settleMs)
    this.trace.push({ t: this.#events.nowMs, e: "end" })
  }

  #reportProgress(): void {
    const { progress } = this.#options
    if (!progress) return
    progress.tell(this.#events.nowMs)
    this.#events.after(progress.everyMs, () => this.#reportProgress())
  }

  *#settle(untilMs: number): Generator<void, void> {
    const alive = this.#alive()
    const names = new Set(alive.map(({ name }) => name))
    for (let looks = 0; looks < LOOKS && this.#events.nowMs < untilMs;) {
      yield* this.#events.upTo(this.#events.nowMs + LOOK_MS)
      const settled = alive.every((member) => member.isSettledIn(names))
      looks = settled && new Set(alive.map(({ group }) => group.view.id)).size <= 1 ? looks + 1 : 0
    }
  }

  #alive(): MemberLife<unknown>[] {
    return [...this.#members.values()].filter((member) => member.alive)
  }

  #start(name: string): void {
    if (this.#members.get(name)?.alive) return
    const known = this.#incarnations.get(name)!
    known.incarnation++
    if (known.incarnation > 1) this.trace.push({ t: this.#events.nowMs, e: "recover", p: name })
    const id = this.#ids.get(name)!
    const self = { id, incarnation: known.incarnation }
    const conferenceTag = sha256(utf8ToBytes("simulated conference"))
    const member = this.#options.create(this.#world, name, id, {
      self,
      conferenceTag,
      epochFloor: known.epochFloor,
      roster: this.#options.roster ? [...this.#ids.values()].sort() : null,
      ...(this.#options.overlay ? overlayTimes : times),
      ...this.#options.times,
      membersMax: MEMBERS_MAX,
    })
    this.#members.set(name, member)
    member.start((peer) => this.#incarnations.get(peer)!.incarnation)
  }

  #apply(fault: Fault): void {
    switch (fault.type) {
      case "absent":
        return
      case "crash":
        return this.#crash(fault.member)
      case "leave":
        this.#members.get(fault.member)?.leave()
        return this.#crash(fault.member)
      case "reload":
        this.#crash(fault.member)
        return this.#events.after(this.#random.next() * RELOAD_MS_MAX, () => this.#start(fault.member))
      case "recover":
        return this.#start(fault.member)
      case "refresh":
        return this.#members.get(fault.member)?.refresh()
      case "propose":
        return this.#members.get(fault.member)?.propose(fault.members.map((name) => this.#ids.get(name)!))
      case "sleep":
        return this.#members.get(fault.member)?.sleep(fault.forMs)
      default:
        return this.#disturbNetwork(fault)
    }
  }

  #disturbNetwork(fault: Exclude<Fault, { member: string }> | Extract<Fault, { type: "slow" }>): void {
    const network = this.#network
    if (fault.type === "partition") return network.partition(fault.groups)
    if (fault.type === "heal") return network.partition(null)
    if (network instanceof OverlayNetwork) return fault.type === "break" ? network.break(fault.a, fault.b) : undefined
    switch (fault.type) {
      case "break":
        return fault.a === fault.b ? undefined : network.breakLink(fault.a, fault.b)
      case "stall":
        return network.stall(fault.from, fault.to, fault.forMs)
      case "cut":
        return network.cutOneWay(fault.from, fault.to, fault.forMs)
      case "clog":
        return network.clog(fault.from, fault.to)
      case "unclog":
        return network.unclog(fault.from, fault.to)
      case "slow":
        for (const name of this.#ids.keys()) network.stall(fault.member, name, fault.forMs)
    }
  }

  #crash(name: string): void {
    const member = this.#members.get(name)
    if (!member) return
    this.#incarnations.get(name)!.epochFloor = member.crash() + EPOCH_BLOCK
  }

  #calm(): void {
    if (this.#network instanceof OverlayNetwork) this.#network.partition(null)
    else this.#network.calm()
    const alive = this.#alive()
    for (const member of alive) member.wake()
    this.trace.push({ t: this.#events.nowMs, e: "calm", D: alive.map(({ name }) => name).sort() })
  }
}
