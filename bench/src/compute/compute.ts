/**
 * How long a member computes for one event: from the view to its key, encoding and state included, the network left
 * out.
 */
import { KEY_AGREEMENT_NAMES, loadSodiumGroup, loadSodiumX25519 } from "@keymoot/gke"
import type { Kem, KeyAgreementName, MemberId, PrimeOrderGroup } from "@keymoot/gke"
import { Conference } from "../in-memory/conference.ts"
import type { Figure } from "../experiment/figure.ts"
import { type Kems, kemsOf, labelOf } from "../in-memory/hybrid-agreement.ts"
import { longestSteps } from "./longest-steps.ts"
import { add, type Ed25519Times, figuresOf, Machine, median, type Samples } from "../experiment/machine.ts"
import { computeMajority } from "./majority-compute.ts"
import { MLS_VERSION, type MlsGroup, warmMlsGroup } from "../in-memory/mls.ts"
import { busiest, type Part, partsOf } from "../in-memory/parts.ts"
import type { Options } from "../experiment/experiment.ts"

const RUNS = 20
const WARM_UP_RUNS = 5
const SIZES = [100]
/** Fewer are no group for every event here, nor for the removal under MLS. */
const SIZE_MIN = 4
/** Default size for the search of the longest steps: the largest planned conference. */
const LONGEST_STEPS_SIZE = 300
/** Every member's step is a sample in each of them, and one of BD takes a minute. */
const LONGEST_STEPS_RUNS_MAX = 2

type Scenario = {
  readonly module: KeyAgreementName
  readonly event: string
  /** Index of the leaver of `n` members in order of arrival; undefined for an event without a leaver. */
  readonly leaver?: (n: number) => number
  /** The papers' name of the sender. */
  readonly actor: string
  /** Measure the newcomer that takes the leaver's place, too. */
  readonly join?: boolean
}

const middle = (n: number): number => Math.floor(n / 2)

const SCENARIOS: readonly Scenario[] = [
  { module: "tgdh", event: "leave", leaver: middle, actor: "sponsor", join: true },
  { module: "str", event: "leave from the middle", leaver: middle, actor: "sponsor" },
  { module: "str", event: "leave from the bottom", leaver: () => 0, actor: "sponsor" },
  { module: "gdh", event: "leave", leaver: middle, actor: "controller" },
  { module: "bd", event: "any", actor: "each member" },
  { module: "ckd", event: "leave", leaver: middle, actor: "controller" },
]

/**
 * `--runs`: after a warm-up of five. The modes of a module take turns, and ts-mls with TGDH, so that whatever else the
 * machine does disturbs all.
 */
export async function compute({ modules, sizes, runs = RUNS, postQuantum }: Options): Promise<Figure[]> {
  const group = await loadSodiumGroup()
  const kems = await kemsOf(postQuantum)
  const figures: Figure[] = []
  for (const n of (sizes ?? SIZES).map((size) => Math.max(size, SIZE_MIN))) {
    const machine = new Machine(group)
    for (const scenario of SCENARIOS) {
      if (modules && !modules.includes(scenario.module)) continue
      const mls = scenario.module === "tgdh" ? await warmMlsGroup(n) : null
      figures.push(...(await measure(scenario, group, kems, machine, n, runs, mls)))
    }
    if (!modules || modules.includes("majority")) {
      figures.push(...(await computeMajority(group, await loadSodiumX25519(), machine, n, runs)))
    }
    figures.push(...figuresOf(machine.samples, { n }))
  }
  const largest = Math.max(SIZE_MIN, ...(sizes ?? [LONGEST_STEPS_SIZE]))
  for (const module of KEY_AGREEMENT_NAMES.filter((name) => !modules || modules.includes(name))) {
    for (const kem of kems)
      figures.push(...longestSteps(module, group, largest, Math.min(runs, LONGEST_STEPS_RUNS_MAX), kem))
  }
  return figures
}

async function measure(
  scenario: Scenario,
  group: PrimeOrderGroup,
  kems: Kems,
  machine: Machine,
  n: number,
  runs: number,
  mls: MlsGroup | null,
): Promise<Figure[]> {
  const rooms = kems.map((kem) => new Room(scenario, group, kem, n))
  const mlsSamples: Samples = new Map()
  for (let run = -WARM_UP_RUNS; run < runs; run++) {
    if (run === 0) {
      for (const room of rooms) room.forget()
      mlsSamples.clear()
    }
    const times = await machine.measure()
    for (const [i, room] of rooms.entries()) {
      const removal = room.change(times)
      if (mls && i === 0) await noteMls(mlsSamples, mls, removal)
    }
  }
  return [
    ...rooms.flatMap((room) => room.figures()),
    ...figuresOf(mlsSamples, { module: MLS_VERSION, event: "leave", n }),
  ]
}

/** A conference that a scenario happens in, again and again. `kem`: of a hybrid one. */
class Room {
  readonly #scenario: Scenario
  readonly #kem: Kem | null
  readonly #n: number
  readonly #conference: Conference
  readonly #samples: Record<"event" | "join", Samples> = { event: new Map(), join: new Map() }
  #present: readonly MemberId[]

  constructor(scenario: Scenario, group: PrimeOrderGroup, kem: Kem | null, n: number) {
    this.#scenario = scenario
    this.#kem = kem
    this.#n = n
    this.#conference = new Conference(scenario.module, group, kem)
    this.#present = this.#conference.start(n)
    this.#conference.change(this.#present)
  }

  forget(): void {
    for (const each of Object.values(this.#samples)) each.clear()
  }

  /** The event, and a join where somebody has left. Gives what the event took. */
  change(times: Ed25519Times): { made: number; processed: number } {
    const { leaver, join } = this.#scenario
    const leaving = leaver && this.#present[leaver(this.#n)]
    this.#present = this.#present.filter((id) => id !== leaving)
    const removal = this.#note(this.#samples.event, partsOf(this.#conference, this.#present), times)
    if (leaving === undefined) return removal
    const newcomers = this.#conference.start(1)
    this.#present = [...this.#present, ...newcomers]
    const parts = partsOf(this.#conference, this.#present)
    if (join) this.#note(this.#samples.join, parts, times, newcomers)
    return removal
  }

  #note(samples: Samples, parts: ReadonlyMap<MemberId, Part>, times: Ed25519Times, newcomers?: readonly MemberId[]) {
    if (this.#kem)
      add(samples, "leader of the post-quantum part", busiest([...parts.values()], "kemOperations").milliseconds)
    return noteParts(samples, parts, this.#scenario.actor, times, newcomers)
  }

  figures(): Figure[] {
    const module = labelOf(this.#scenario.module, this.#kem)
    return [
      ...figuresOf(this.#samples.event, { module, event: this.#scenario.event, n: this.#n }),
      ...figuresOf(this.#samples.join, { module, event: "join", n: this.#n - 1 }),
    ]
  }
}

/** Gives what making and processing took, signatures included. */
function noteParts(
  samples: Samples,
  parts: ReadonlyMap<MemberId, Part>,
  actor: string,
  { signMs, verifyMs }: Ed25519Times,
  newcomers: readonly MemberId[] = [],
): { made: number; processed: number } {
  const note = (role: string, part: Part): number => {
    const signatures = part.sent * signMs + part.received * verifyMs
    add(samples, role, part.milliseconds)
    add(samples, `${role}, with signatures`, part.milliseconds + signatures)
    add(samples, `${role}, longest step`, part.longestStep)
    return part.milliseconds + signatures
  }
  const all = [...parts.values()]
  const made = note(actor, busiest(all.filter(({ sent }) => sent > 0)))
  // A newcomer, who reads the whole public state before there is anything to wait for, is neither.
  const others = [...parts].flatMap(([id, part]) => (part.sent === 0 && !newcomers.includes(id) ? [part] : []))
  const processed = others.length > 0 ? note("slowest other", busiest(others)) : made
  for (const part of newcomers.map((id) => parts.get(id)!)) {
    note("newcomer", part)
    add(samples, "newcomer, from the sponsor's message on", part.afterMessages)
  }
  add(samples, "contribution, for the flush", median(all.map(({ contribution }) => contribution)))
  return { made, processed }
}

async function noteMls(samples: Samples, mls: MlsGroup, ours: { made: number; processed: number }): Promise<void> {
  const start = performance.now()
  const commit = await mls.makeRemoval()
  const made = performance.now()
  await mls.processRemoval!(commit)
  const processed = performance.now()
  add(samples, "make a removal", made - start)
  add(samples, "process a removal", processed - made)
  add(samples, "times tgdh's sponsor with signatures", (made - start) / ours.made)
  add(samples, "times tgdh's slowest other with signatures", (processed - made) / ours.processed)
}

const LEGEND = `Milliseconds of computing at one member from the view to its key; encoding, decoding and state included, the network not. ristretto255 on libsodium's
WebAssembly; Ed25519 as WebCrypto has it, one signature for each message sent and one verification for each received.
"slowest other": who multiplies most, of those who send nothing. n: members before. STR's leaves, GDH's and CKD's depend on seniority: the leaver was in the middle.
ts-mls: X25519, Ed25519, AES-128, its tree warm, in turns with TGDH; its processing member is the committer's neighbour.
hybrid: ML-KEM-768 beside the module. Its leader is the oldest member, which seals the new seed to others.
majority: a session of a roster of n + 1, everybody there; each member's signatures include those that it checks in what others hand on.
"newcomer, from the sponsor's message on": the rest it does while the sponsor computes and the message travels.
"longest step": what holds the thread without a break; "of anybody": of whoever has the longest, of all that happens in that event. "times …": signatures included, as ts-mls signs and verifies too.
All by the clock: on a machine that is busy with something else, see the least.`

/** Figures of `compute` as a table. */
export function computeReport(figures: readonly Figure[]): string {
  const rows = figures.map(({ module, event, n, metric, unit, median, p95, min, max }) => [
    [module, event].join(" ").trim() || "this machine",
    `${n}`,
    metric,
    unit,
    ...[median, p95, min, max].map(String),
  ])
  const all = [["event", "n", "what", "unit", "median", "p95", "min", "max"], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  const lines = all.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  )
  return [LEGEND, "", ...lines, "", `${figures[0]?.runs ?? 0} runs each.`].join("\n")
}
