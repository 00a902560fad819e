import type { Lies } from "./equivocator.ts"
import { lastWordsAmong, MANY_SETTLE_MS, sendersAt } from "./many-members.ts"
import { PlainTraffic } from "./plain-traffic.ts"
import { Random } from "../random/random.ts"
import { memberNames, randomSchedule, type Fault } from "./schedule.ts"
import { SimulatedMember } from "./simulated-member.ts"
import type { SimulatedSigner } from "./simulated-signer.ts"
import { Simulation, type SimulationOptions } from "./simulation.ts"
import type { TraceEvent } from "../oracle/trace.ts"
import type { TraceSink } from "../../trace/trace-sink.ts"
import type { MemberHandle, UpperLayer } from "./upper-layer.ts"
import type { CreateMember } from "./world.ts"

/** Sends until `untilMs`, at each tick with the probability of that time. */
export type Sends = { readonly untilMs: number; readonly chance: (nowMs: number) => number }

/** Everything that a run depends on: equal scenarios give equal runs, event for event. */
export type Scenario = {
  readonly seed: number
  readonly members: number
  readonly faults: readonly Fault[]
  /** Virtual time at which faults end. */
  readonly calmMs: number
  /** Members have a few links each, and reach one another over them (many-members.ts). */
  readonly overlay?: boolean
  /** Only a few members send, and only around changes (many-members.ts). */
  readonly quiet?: boolean
}

export type Cast = Pick<SimulationOptions, "times" | "delayMs" | "omitted"> & {
  /**
   * The layer above each member's group. Default: plain traffic. It sends until `untilMs`, at each tick with the
   * probability of that time.
   */
  readonly upper?: (member: MemberHandle, untilMs: number, chance: (nowMs: number) => number) => UpperLayer
  /** Makes the members. Default: group cores with an `upper` layer. */
  readonly create?: (sends: Sends) => CreateMember
  /** Signs and verifies frames. Default: no signatures. */
  readonly signer?: SimulatedSigner
  /** One member sends different versions of messages to different members. */
  readonly lies?: Lies
  /** The members are a fixed roster and can exchange messages outside of views. */
  readonly roster?: boolean
  /** Filled during the run, so that the trace of a run that throws is available up to there. */
  readonly trace?: TraceEvent[]
  /** Gets the trace events of all members, at virtual times. */
  readonly sink?: TraceSink
  /** Called every ten virtual seconds. */
  readonly onProgress?: (nowMs: number) => void
}

/** Probability that a member sends at a tick. */
const SENDS = 0.3
const PROGRESS_MS = 10_000
/** Early enough to disturb the first views too. */
const FIRST_FAULT_MS = 80
/** Mean interval of faults: views are rarely undisturbed. */
const MS_PER_FAULT = 100
/** No member restarts in this time before calm. */
const QUIET_MS = 200
/** Members send beyond the last fault, so that messages are in transit when faults have stopped. */
const SENDING_IN_CALM_MS = 200
/** Upper bound: a run ends when every member is at rest. */
const SETTLE_MS = 30_000

/** A random schedule of that many faults, from the seed. */
export function randomScenario(seed: number, members: number, faultCount = 8, msPerFault = MS_PER_FAULT): Scenario {
  const calmMs = 400 + msPerFault * faultCount
  const random = new Random(seed ^ 0x5eed)
  return {
    seed,
    members,
    faults: randomSchedule(random, memberNames(members), faultCount, FIRST_FAULT_MS, calmMs - QUIET_MS),
    calmMs,
  }
}

/** Fewer large conferences than small ones: the cost of a run grows with the square of the members. */
export function membersOf(seed: number): number {
  return 3 + Math.min(seed % 10, (seed * 7) % 10)
}

export function play(scenario: Scenario, cast: Cast = {}): readonly TraceEvent[] {
  return simulationOf(scenario, cast).run()
}

export function simulationOf(
  { seed, members, faults, calmMs, overlay = false, quiet = false }: Scenario,
  { upper, create, signer, lies, roster, trace, sink, times, delayMs, omitted, onProgress }: Cast = {},
): Simulation {
  const untilMs = calmMs + SENDING_IN_CALM_MS
  const lastWords = quiet ? lastWordsAmong(members) : undefined
  const chance = (nowMs: number): number => (quiet ? sendersAt(nowMs) / members : SENDS)
  const plain = (member: MemberHandle): UpperLayer =>
    upper?.(member, untilMs, chance) ?? new PlainTraffic(member, untilMs, chance, lastWords)
  return new Simulation({
    seed,
    members,
    faults,
    calmMs,
    settleMs: overlay ? MANY_SETTLE_MS : SETTLE_MS,
    overlay,
    ...(signer ? { signer } : {}),
    ...(lies ? { lies } : {}),
    ...(roster ? { roster } : {}),
    ...(trace ? { trace } : {}),
    ...(sink ? { sink } : {}),
    ...(times ? { times } : {}),
    ...(delayMs ? { delayMs } : {}),
    ...(omitted ? { omitted } : {}),
    ...(onProgress ? { progress: { everyMs: PROGRESS_MS, tell: onProgress } } : {}),
    create:
      create?.({ untilMs, chance }) ??
      ((world, name, id, config) => new SimulatedMember(world, name, id, config, plain)),
  })
}
