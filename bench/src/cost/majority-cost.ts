/**
 * Cost of a session of majority, counted from outside. The papers give only the order of its message count, so there is
 * no value to compare with.
 */
import { loadGroup, loadX25519 } from "@keymoot/gke"
import { type Cost, idle, type Load, raise } from "./critical-path.ts"
import { COST_METRICS } from "./critical-path.ts"
import { type Figure, figureOf } from "../experiment/figure.ts"
import { Roster, type Sent } from "../in-memory/roster.ts"

const SIZES = [3, 5, 9, 21]

/** `sizes`: of rosters, from 2. Everybody starts at once and nobody fails; it is counted the same each time. */
export async function majorityCost(sizes: readonly number[] = SIZES): Promise<Figure[]> {
  const [group, x25519] = [await loadGroup(), await loadX25519()]
  return sizes.flatMap((n) => {
    const roster = new Roster(n, group, x25519)
    const majority = Math.floor(n / 2) + 1
    return [
      ...figuresOf("key, all present", n, measureSession(roster, n)),
      ...figuresOf("key, just a majority", n, measureSession(roster, majority)),
    ]
  })
}

function figuresOf(event: string, n: number, cost: Cost): Figure[] {
  return COST_METRICS.map((metric) => {
    const unit = metric === "bytes" ? "bytes" : "count"
    return figureOf({ experiment: "cost", module: "majority", event, n, metric, unit }, [cost[metric]])
  })
}

/** Until the last secret; what is sent afterwards is on nobody's way. */
function measureSession(roster: Roster, present: number): Cost {
  const ids = roster.members.slice(0, present)
  const clocks = new Map(ids.map((id) => [id, idle()]))
  const sentAt = new Map<Sent, Load>()
  const atKey = new Map<string, Load>()
  roster.onDelivery = (to, message) => {
    const clock = clocks.get(to)!
    raise(clock, sentAt.get(message)!)
    if (message.from !== to) clock.verifications++
  }
  roster.onStep = ({ member, outputs, hasSecret, exponentiations, additions, verifications }) => {
    const clock = clocks.get(member)!
    clock.exponentiations += exponentiations
    clock.additions += additions
    clock.verifications += verifications
    for (const message of outputs) {
      clock.signatures++
      sentAt.set(message, { ...clock })
    }
    if (hasSecret && !atKey.has(member)) atKey.set(member, { ...clock })
  }
  const rounds = roster.session(ids)
  const longest = idle()
  for (const load of atKey.values()) raise(longest, load)
  const all = [...sentAt.keys()]
  return {
    rounds,
    unicasts: all.filter(({ to }) => to !== null).length,
    multicasts: all.filter(({ to }) => to === null).length,
    ...longest,
    bytes: all.reduce((sum, { bytes }) => sum + bytes.length, 0),
  }
}
