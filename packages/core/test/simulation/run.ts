import {
  judge,
  LastEvents,
  play,
  randomScenario,
  simulationOf,
  violated,
  type Cast,
  type Scenario,
  type TraceEvent,
  type Violation,
} from "@keymoot/transport/testing"
import type { KeyAgreementName, PostQuantum } from "../../src/api/index.ts"
import type { Cryptography } from "./cryptography.ts"
import { DrivenMember } from "./members/driven-member.ts"
import { judgeOpened } from "./judges/judge-opened.ts"

export type SecureRun = {
  readonly trace: readonly TraceEvent[]
  /** Throws if a property does not hold. `more`: violations besides those of the oracle. */
  readonly assertHolds: (more?: readonly Violation[]) => Promise<void>
}

/** `module`: that by which those who are left are to come by a key. */
export type SecureCast = Cast & { readonly module?: KeyAgreementName }

/** Every member is a production driver. */
export function withKeyAgreement(module: KeyAgreementName, cryptography: Cryptography, seed: number): SecureCast {
  const postQuantum = postQuantumOf(seed)
  const create: Cast["create"] = (sends) => (world, name, id, config) =>
    new DrivenMember(world, name, id, config, { cryptography, module, postQuantum, sends })
  const cast = { create, module }
  return module === "majority" ? { ...cast, roster: true } : cast
}

/** Every third run is of a hybrid conference. */
export function postQuantumOf(seed: number): PostQuantum {
  return seed % 3 === 0 ? "hybrid" : "off"
}

export function signedBy({ frameSigner }: Cryptography): Cast {
  return frameSigner ? { signer: frameSigner } : {}
}

/** Time enough for a key between some of the faults. */
export const MS_PER_FAULT = 250

/** Promises that wait for nothing but each other are resolved: the next event finds the members as production would. */
function settled(): Promise<void> {
  return new Promise((done) => setImmediate(done))
}

export async function playSecure(scenario: Scenario, cast: SecureCast): Promise<readonly TraceEvent[]> {
  return cast.create ? simulationOf(scenario, cast).runWith(settled) : play(scenario, cast)
}

/** Everything that can be judged without knowing the key agreement. */
export function judgeSecure(trace: readonly TraceEvent[]): Violation[] {
  return [...judge(trace), ...judgeOpened(trace)].sort((a, b) => a.t - b.t)
}

/** As `eventsBefore` of the transport. */
export async function secureEventsBefore(untilMs: number, scenario: Scenario, cast: SecureCast): Promise<string[]> {
  const last = new LastEvents(untilMs)
  // A run that throws is the failure that is being reported.
  await playSecure(scenario, { ...cast, trace: [], sink: last.sink }).catch(() => undefined)
  return last.lines(scenario)
}

/** Throws an error with the violations, and the trace events before the first of them. */
export async function assertSecure(
  violations: readonly Violation[],
  scenario: Scenario,
  cast: SecureCast,
  context: string,
): Promise<void> {
  const [first] = violations
  if (first) throw violated(violations, context, await secureEventsBefore(first.t, scenario, cast))
}

/** A conference with key agreement under random faults, from one seed. */
export async function runSecure(
  seed: number,
  members: number,
  cryptography: Cryptography,
  module: KeyAgreementName,
): Promise<SecureRun> {
  const scenario = randomScenario(seed, members, 8, MS_PER_FAULT)
  const cast = withKeyAgreement(module, cryptography, seed)
  const trace = await playSecure(scenario, cast)
  const context = `seed ${seed}, ${members} members, ${module}`
  return {
    trace,
    assertHolds: (more = []) => assertSecure([...judgeSecure(trace), ...more], scenario, cast, context),
  }
}
