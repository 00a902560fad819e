import type { KeyAgreementName, PrimeOrderGroup } from "@keymoot/gke"
import {
  memberNames,
  Random,
  randomSchedule,
  Simulation,
  type Fault,
  type TraceEvent,
} from "@keymoot/transport/testing"
import { SecureTraffic } from "./secure-traffic.ts"

const SETTLE_MS = 4000

export type SecureRun = { readonly faults: readonly Fault[]; readonly trace: readonly TraceEvent[] }

/** A conference with key agreement under random faults, from one seed. `calmMs`: virtual time at which faults end. */
export function runSecure(
  seed: number,
  members: number,
  group: PrimeOrderGroup,
  { module = "tgdh" as KeyAgreementName, faultCount = 12, calmMs = 6000 } = {},
): SecureRun {
  const faults = randomSchedule(new Random(seed ^ 0x5eed), memberNames(members), faultCount, 300, calmMs - 200)
  const simulation = new Simulation({
    seed,
    members,
    faults,
    calmMs,
    settleMs: SETTLE_MS,
    upper: (member) => new SecureTraffic(member, group, module, calmMs + SETTLE_MS / 2),
  })
  return { faults, trace: simulation.run() }
}
