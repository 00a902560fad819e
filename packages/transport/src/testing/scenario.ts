import type { Lies } from "./equivocator.ts"
import { lastWordsAmong, MANY_SETTLE_MS, sendersAt } from "./many-members.ts"
import { PlainTraffic } from "./plain-traffic.ts"
import { Random } from "./random.ts"
import { memberNames, randomSchedule, type Fault } from "./schedule.ts"
import type { SimulatedSigner } from "./simulated-signer.ts"
import { Simulation, type SimulationOptions } from "./simulation.ts"
import type { TraceEvent } from "./trace.ts"
import type { MemberHandle, UpperLayer } from "./upper-layer.ts"

/** All that a run depends on: the same scenario is the same run, event for event. */
export type Scenario = {
  readonly seed: number
  readonly members: number
  readonly faults: readonly Fault[]
  /** Virtual time at which faults end. */
  readonly calmMs: number
  /** Members have a few links each, and reach one another over them (many-members.ts). */
  readonly overlay?: boolean
  /** Members send around its changes only, and a few of them (many-members.ts). */
  readonly quiet?: boolean
}

export type Cast = Pick<SimulationOptions, "times" | "delayMs"> & {
  /**
   * What stands above each member's group; plain traffic unless given. It sends until `untilMs`, with the chance of that time at each
   * tick.
   */
  readonly upper?: (member: MemberHandle, untilMs: number, chance: (nowMs: number) => number) => UpperLayer
  /** Frames are signed and verified; they carry no signature unless given. */
  readonly signer?: SimulatedSigner
  /** One member says different things to different members. */
  readonly lies?: Lies
  /** The members are a fixed roster and can speak to one another outside of views. */
  readonly roster?: boolean
  /** Filled as it goes, so that a run that throws can be told up to there. */
  readonly trace?: TraceEvent[]
  /** Told every ten virtual seconds. */
  readonly onProgress?: (nowMs: number) => void
}

/** Of a member at a tick. */
const SENDS = 0.3
const PROGRESS_MS = 10_000
/** Views form within the first moments, which are disturbed too. */
const FIRST_FAULT_MS = 80
/** From one fault to the next, on the average: views are seldom left alone. */
const MS_PER_FAULT = 100
/** Nobody who reloads comes back after that. */
const QUIET_MS = 200
/** Members send beyond the last fault, so that something is under way when all is well. */
const SENDING_IN_CALM_MS = 200
/** At most: runs end when all has come to rest. */
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

/** Fewer large conferences than small ones: their runs cost with the square of the members. */
export function membersOf(seed: number): number {
  return 3 + Math.min(seed % 10, (seed * 7) % 10)
}

export function play(
  { seed, members, faults, calmMs, overlay = false, quiet = false }: Scenario,
  { upper, signer, lies, roster, trace, times, delayMs, onProgress }: Cast = {},
): readonly TraceEvent[] {
  const untilMs = calmMs + SENDING_IN_CALM_MS
  const lastWords = quiet ? lastWordsAmong(members) : undefined
  const chance = (nowMs: number): number => (quiet ? sendersAt(nowMs) / members : SENDS)
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
    ...(times ? { times } : {}),
    ...(delayMs ? { delayMs } : {}),
    ...(onProgress ? { progress: { everyMs: PROGRESS_MS, tell: onProgress } } : {}),
    upper: (member) => upper?.(member, untilMs, chance) ?? new PlainTraffic(member, untilMs, chance, lastWords),
  }).run()
}
