import { expect, test } from "vitest"
import {
  assertHolds,
  judge,
  memberNames,
  play,
  PlainTraffic,
  Random,
  type Cast,
  type Scenario,
} from "@keymoot/transport/testing"

/** More than a full mesh bears, also of those who are left. */
const MEMBERS = 40
const CRASHED = 0.3
/** `npm run test:all` plays more. */
const SEEDS = process.env["RUNS"] === "full" ? 5 : 2
/** All have found one another and are in one view. */
const CRASH_MS = 8_000
const CALM_MS = CRASH_MS + 500
/** From a second before the crash on; each says something at so few ticks, and once over each service in the end. */
const SAYING_FROM_MS = CRASH_MS - 1_000
const SAYS = 0.03
const LAST_WORDS = 0.3

function crashAtOnce(seed: number): Scenario {
  const random = new Random(seed)
  const gone = new Set<string>()
  while (gone.size < CRASHED * MEMBERS) gone.add(random.pick(memberNames(MEMBERS)))
  const faults = [...gone].map((member) => ({ atMs: CRASH_MS, type: "crash", member }) as const)
  return { seed, members: MEMBERS, faults, calmMs: CALM_MS, overlay: true }
}

test("after 30 % of 40 sparse members crash, messages reach the rest in one order", { timeout: 600_000 }, () => {
  let meanwhile = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    const cast: Cast = {
      upper: (member, untilMs) =>
        new PlainTraffic(member, untilMs, (nowMs) => (nowMs > SAYING_FROM_MS ? SAYS : 0), LAST_WORDS),
    }
    const trace = play(crashAtOnce(seed), cast)
    assertHolds(judge(trace), crashAtOnce(seed), cast, `seed ${seed}`)
    const survivors = trace.flatMap((event) => (event.e === "calm" ? event.D : []))
    expect(survivors).toHaveLength((1 - CRASHED) * MEMBERS)
    const views = trace.flatMap((event) => (event.e === "view" ? [event] : []))
    expect(views.some(({ t, D }) => t < SAYING_FROM_MS && D.length === MEMBERS)).toBe(true)
    const last = views.at(-1)!
    expect(last.D).toEqual(survivors)
    const sent = trace.flatMap((event) => (event.e === "send" && event.s === "agreed" ? [event] : []))
    const after = new Map(sent.flatMap(({ m, p, v }) => (v === last.id ? [[m, p]] : [])))
    expect([...new Set(after.values())].sort()).toEqual(survivors)
    const heard = survivors.map((name) =>
      trace.flatMap((event) => (event.e === "deliver" && event.p === name && after.has(event.m) ? [event.m] : [])),
    )
    expect(new Set(heard[0])).toEqual(new Set(after.keys()))
    expect(new Set(heard.map((order) => order.join())).size, `seed ${seed}`).toBe(1)
    meanwhile += sent.filter(({ t, v, p }) => t > CRASH_MS && v !== last.id && survivors.includes(p)).length
  }
  expect(meanwhile).toBeGreaterThan(SEEDS)
})
