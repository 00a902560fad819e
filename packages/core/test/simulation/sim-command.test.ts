import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { PlainTraffic, randomScenario, type Cast, type MemberHandle, type Scenario } from "@keymoot/transport/testing"
import { expect, test, vi } from "vitest"
import { parseOptions, UsageError } from "./options.ts"
import { playAndJudge, shrink } from "./shrink.ts"
import { tell } from "./story.ts"

// Processes that start and compute: on a busy machine they take their time.
vi.setConfig({ testTimeout: 600_000 })

const COMMAND = ["--conditions=keymoot-source", fileURLToPath(new URL("main.ts", import.meta.url))]

test("the same seed writes the same trace, byte for byte, in two processes", () => {
  const folder = mkdtempSync(join(tmpdir(), "keymoot-sim-"))
  const runs = ["a", "b"].map((name) => {
    const [trace, log] = [join(folder, name), join(folder, `${name}.log`)]
    const run = ["--seed", "5", "--members", "4", "--events", "6", "--trace", trace, "--log", log]
    execFileSync(process.execPath, [...COMMAND, ...run])
    return [readFileSync(trace, "utf8"), readFileSync(log, "utf8")]
  })
  expect(runs[0]![0]).toContain('"e":"keyed"')
  expect(runs[0]![1]).toMatch(/^[\d:.]+ a secure-group info secured epoch=\d+$/m)
  expect(runs[0]).toEqual(runs[1])
})

test("wrong arguments are named, and end with 2", () => {
  for (const [args, named] of [
    [["--seed", "x"], "--seed"],
    [["--members", "0"], "--members"],
    [["--events", "1.5"], "--events"],
    [["--module", "rsa"], "rsa"],
    [["--membrs", "3"], "membrs"],
    [["--overlay", "--mesh"], "--mesh"],
  ] as const) {
    expect(() => parseOptions(args)).toThrow(UsageError)
    expect(() => parseOptions(args)).toThrow(named)
  }
  const { status, stderr } = spawnSync(process.execPath, [...COMMAND, "--module", "rsa"], { encoding: "utf8" })
  expect(status).toBe(2)
  expect(stderr).toContain("rsa")
  const nowhere = ["--trace", join(tmpdir(), "keymoot-no-such-folder", "trace")]
  const refused = spawnSync(process.execPath, [...COMMAND, ...nowhere], { encoding: "utf8" })
  expect([refused.status, refused.stdout]).toEqual([2, ""])
  expect(refused.stderr).toContain("--trace")
})

test("uses the overlay above a full mesh's limit, unless a mesh is requested", () => {
  const isOverlay = (...args: string[]) => parseOptions(args)?.overlay
  expect([isOverlay("--members", "24"), isOverlay("--members", "25")]).toEqual([false, true])
  expect([isOverlay("--members", "9", "--overlay"), isOverlay("--members", "40", "--mesh")]).toEqual([true, false])
})

test("reports a run that throws with what came before", async () => {
  const upper: NonNullable<Cast["upper"]> = (member, untilMs, chance) => {
    const traffic = new PlainTraffic(member, untilMs, chance)
    member.after(1000, () => {
      throw new Error("out of order")
    })
    return traffic
  }
  const { trace, violations } = await playAndJudge(randomScenario(3, 4, 12), { upper })
  expect(violations).toMatchObject([{ property: "no member throws or blames an honest one" }])
  expect(trace.some(({ e }) => e === "view")).toBe(true)
  expect(violations[0]!.t).toBe(trace.at(-1)!.t)
})

/** Delivers what nobody sent as soon as somebody is missing. */
class Inventing extends PlainTraffic {
  readonly #member: MemberHandle
  #size = 0
  constructor(member: MemberHandle, untilMs: number, chance: (nowMs: number) => number) {
    super(member, untilMs, chance)
    this.#member = member
  }
  override tick(): void {
    const { id, members } = this.#member.group.view
    if (members.length < this.#size) {
      const t = this.#member.now()
      this.#member.trace({ t, e: "deliver", p: this.#member.name, m: "invented", v: id, s: "fifo" })
    }
    this.#size = members.length
    super.tick()
  }
}

const inventing: Cast = { upper: (member, untilMs, chance) => new Inventing(member, untilMs, chance) }

/** The first scenario that fails only by its faults. Late messages can make a member suspect another one, too. */
async function failingByFaults(): Promise<Scenario> {
  for (let seed = 1; ; seed++) {
    const scenario = randomScenario(seed, 4, 12)
    const [bare, whole] = [
      await playAndJudge({ ...scenario, faults: [] }, inventing),
      await playAndJudge(scenario, inventing),
    ]
    if (bare.violations.length === 0 && whole.violations.length > 0) return scenario
  }
}

test("reports a failure with only the faults that it takes", async () => {
  const cast = inventing
  const scenario = await failingByFaults()
  const whole = await playAndJudge(scenario, cast)
  const shrunk = await shrink(scenario, cast, whole.trace.length)
  const { trace, violations } = await playAndJudge(shrunk, cast)
  expect(shrunk.faults.length).toBeLessThanOrEqual(2)
  const story = await tell(shrunk, cast, trace, violations)
  expect(story).toMatch(/VIOLATED at .* 6 integrity: . delivers invented/)
  expect(story).toContain("<- fault")
  expect(story).toMatch(/^00:00:\d\d\.\d{3} . group info view view=/m)
})

test("replays a long failure fewer times, and prints it whole on request", async () => {
  const scenario = await failingByFaults()
  const shrinkAt = async (events: number) => {
    // One for each run.
    const runs = new Set<MemberHandle["random"]>()
    const upper: NonNullable<Cast["upper"]> = (member, untilMs, chance) => {
      runs.add(member.random)
      return new Inventing(member, untilMs, chance)
    }
    return { shrunk: await shrink(scenario, { upper }, events), runs: runs.size }
  }
  expect((await shrinkAt(1_000)).runs).toBeGreaterThan(5)
  expect(await shrinkAt(1_000_000)).toEqual({ shrunk: scenario, runs: 1 })
})

test("reports a violation when there is to be a key and nobody ever has one", async () => {
  const upper: NonNullable<Cast["upper"]> = (member, untilMs, chance) => new PlainTraffic(member, untilMs, chance)
  const scenario = randomScenario(3, 4, 2)
  expect((await playAndJudge(scenario, { upper })).violations).toEqual([])
  expect((await playAndJudge(scenario, { upper, module: "tgdh" })).violations).toMatchObject([
    { property: "keyed after calm" },
  ])
})

const BROKEN = ["--import", new URL("broken-rule.ts", import.meta.url).href]
/** One of the first does; which, depends on what else happens in it. */
const SEEDS = 20

function simulate(seed: number, before: readonly string[] = [], ...more: string[]) {
  const args = [...before, ...COMMAND, "--seed", `${seed}`, "--members", "4", "--module", "none", ...more]
  return spawnSync(process.execPath, args, { encoding: "utf8" })
}

/** The first run in which it takes a fault to violate what the transport promises. */
function firstViolation(): { seed: number; told: string } {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { status, stdout, stderr } = simulate(seed, BROKEN)
    expect(status, stderr).toBe(stdout.includes("VIOLATED") ? 1 : 0)
    if (stdout.includes("<- fault")) return { seed, told: stdout }
  }
  throw new Error(`Nothing was violated in ${SEEDS} runs with a broken rule.`)
}

test("exits with 1 and few faults when a protocol rule is broken, else with 0", () => {
  const { seed, told } = firstViolation()
  const lines = told.split("\n")
  const [, all, violations] = /^seed \d+: 4 members, (\d+) faults, .*: (\d+) VIOLATIONS$/.exec(lines[0]!)!
  expect(Number(violations)).toBeGreaterThan(0)
  const [, fewest] = /^(\d+) faults, calm from \d+ ms on:$/.exec(lines[1]!)!
  expect(lines.filter((line) => line.endsWith("<- fault"))).toHaveLength(Number(fewest))
  expect(Number(fewest)).toBeLessThan(Number(all) / 2)
  const [verdict, message] = /^VIOLATED at .*: 7 self delivery: . leaves [0-9a-f]+ without its own (\S+)$/m.exec(told)!
  const places = [
    lines.findIndex((line) => line.includes("installs view")),
    lines.findIndex((line) => line.includes(`sends ${message} as `)),
    lines.findIndex((line) => line.includes("calm: {")),
    lines.indexOf(verdict),
  ]
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))

  const json = simulate(seed, BROKEN, "--json")
  expect(json.status).toBe(1)
  const figures = JSON.parse(json.stdout) as { seed: number; violations: unknown[]; shrunk: unknown[] }
  expect(figures).toMatchObject({ seed, faults: Number(all) })
  expect([figures.violations.length, figures.shrunk.length]).toEqual([Number(violations), Number(fewest)])

  const unbroken = simulate(seed)
  expect(unbroken.status, unbroken.stderr).toBe(0)
  expect(unbroken.stdout).toContain(`${all} faults`)
  expect(unbroken.stdout).toContain("all properties hold")
})

const MANY_RUNS = ["--conditions=keymoot-source", fileURLToPath(new URL("many-runs.ts", import.meta.url))]

function runMany(rule: string | null, events: number) {
  const args = [...(rule ? BROKEN : []), ...MANY_RUNS, "tgdh", "5", "12", `${events}`, "1"]
  return spawnSync(process.execPath, args, { encoding: "utf8", env: { ...process.env, BROKEN_RULE: rule ?? "" } })
}

test.each([
  ["draining", "handling-failed"],
  ["erasing", "undecryptable"],
  // A published key or a proof of the former view, whichever waited first: each has a check of its own.
  ["agreement", /failed-confirmation|wrong-key/],
  ["opening", "opened: "],
])("finds a production driver that breaks the rule %s", (rule, reason) => {
  const { status, stdout, stderr } = runMany(rule, 40_000)
  expect([status, stdout], stderr).toEqual([1, expect.stringMatching(reason)])
  expect(stdout).toMatch(/^npm run sim -- --members 5 --events 12 --module tgdh --seed \d+$/m)
})

test("finds nothing in the runs of a production driver that breaks no rule", () => {
  const { status, stdout, stderr } = runMany(null, 10_000)
  expect([status, stdout], stderr).toEqual([0, expect.stringContaining("all properties hold")])
})
