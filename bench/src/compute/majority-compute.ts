/** How long a member computes for one session of majority with everybody there. */
import type { MemberId, PrimeOrderGroup, X25519 } from "@keymoot/gke"
import type { Figure } from "../experiment/figure.ts"
import { add, figuresOf, type Machine, median, type Samples } from "../experiment/machine.ts"
import { Roster } from "../in-memory/roster.ts"

const WARM_UP_RUNS = 2
/** A run is n + 1 members' work, each of whom seals for all others. */
const RUNS_MAX = 7

type Part = { milliseconds: number; longestStep: number; signed: number; verified: number }

/** `n`: the roster has one member more, so that 100 is the 101 of an odd roster. */
export async function computeMajority(
  group: PrimeOrderGroup,
  x25519: X25519,
  machine: Machine,
  n: number,
  runs: number,
): Promise<Figure[]> {
  const roster = new Roster(n + 1, group, x25519)
  const samples: Samples = new Map()
  for (let run = -WARM_UP_RUNS; run < Math.min(runs, RUNS_MAX); run++) {
    if (run === 0) samples.clear()
    const { signMs, verifyMs } = await machine.measure()
    const parts = [...partsOf(roster).values()]
    const withSignatures = parts.map((part) => part.milliseconds + part.signed * signMs + part.verified * verifyMs)
    // The coordinator of the consensus receives all estimates, so it verifies most.
    const coordinator = parts.findIndex(({ verified }) => verified === Math.max(...parts.map((part) => part.verified)))
    add(samples, "a member", median(parts.map((part) => part.milliseconds)))
    add(samples, "a member, with signatures", median(withSignatures))
    add(samples, "coordinator", parts[coordinator]!.milliseconds)
    add(samples, "coordinator, with signatures", withSignatures[coordinator]!)
    add(samples, "a member, longest step", median(parts.map((part) => part.longestStep)))
  }
  return figuresOf(samples, { module: "majority", event: "session", n: n + 1 })
}

function partsOf(roster: Roster): ReadonlyMap<MemberId, Part> {
  const parts = new Map(
    roster.members.map((id): [MemberId, Part] => [id, { milliseconds: 0, longestStep: 0, signed: 0, verified: 0 }]),
  )
  roster.onDelivery = (to, { from }) => {
    if (from !== to) parts.get(to)!.verified++
  }
  roster.onStep = ({ member, outputs, milliseconds, verifications }) => {
    const part = parts.get(member)!
    part.milliseconds += milliseconds
    part.longestStep = Math.max(part.longestStep, milliseconds)
    part.signed += outputs.length
    part.verified += verifications
  }
  roster.session(roster.members)
  return parts
}
