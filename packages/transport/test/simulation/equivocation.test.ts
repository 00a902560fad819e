import { equalBytes } from "@noble/curves/utils.js"
import { expect, test } from "vitest"
import type { GroupOutput } from "../../src/view/group-types.ts"
import type { View } from "../../src/view/view.ts"
import { judge, play, PlainTraffic, randomScenario, simulatedId, type Accusation } from "../../src/testing/index.ts"
import type { MemberHandle, UpperLayer } from "../../src/testing/simulation/upper-layer.ts"
import { frameDigest, type Service } from "../../src/wire/frame.ts"

const LIAR = "b"
/** `npm run test:all` plays more. */
const RUNS = process.env["RUNS"] === "full" ? 60 : 24
const MEMBERS = 5

/** One member's messages of the liar in one view, and when it left that view. */
type Stay = {
  readonly member: string
  readonly view: View["id"]
  readonly got: Map<number, Uint8Array>
  readonly accusations: Accusation[]
  next: View | null
}

/** Plain traffic of a member that keeps a record of what the liar said to it. */
class Witness implements UpperLayer {
  readonly #traffic: PlainTraffic
  readonly #member: MemberHandle
  readonly #liar: string
  readonly stays: Stay[] = []

  constructor(member: MemberHandle, untilMs: number, chance: (nowMs: number) => number, liar: string) {
    this.#traffic = new PlainTraffic(member, untilMs, chance)
    this.#member = member
    this.#liar = liar
  }

  get idle(): boolean {
    return this.#traffic.idle
  }

  tick(): void {
    this.#traffic.tick()
  }

  handle(output: Parameters<UpperLayer["handle"]>[0]): void {
    if (output.type === "view") {
      const present = this.stays.at(-1)
      if (present) present.next = output.view
      const view = output.view.id
      this.stays.push({ member: this.#member.id, view, got: new Map(), accusations: [], next: null })
    }
    if (output.type === "deliver") this.#note(output)
    this.#traffic.handle(output)
  }

  #note({ delivery: { frame } }: Extract<GroupOutput, { type: "deliver" }>): void {
    if (frame.origin !== this.#liar || frame.service === "unreliable") return
    this.stays.at(-1)!.got.set(frame.sequence, frameDigest(frame))
  }
}

function playWithLiar(seed: number, services: readonly Service[]) {
  const liar = simulatedId(LIAR, seed)
  const witnesses: { readonly name: string; readonly witness: Witness }[] = []
  const accusations: { readonly by: string; readonly accusation: Accusation }[] = []
  const trace = play(randomScenario(seed, MEMBERS), {
    upper: (member, untilMs, chance) => {
      const witness = new Witness(member, untilMs, chance, liar)
      witnesses.push({ name: member.name, witness })
      return witness
    },
    lies: {
      liar: LIAR,
      services,
      accuse: (by, accusation) => {
        accusations.push({ by, accusation })
        // The stay of the current incarnation.
        witnesses
          .findLast(({ name }) => name === by)
          ?.witness.stays.at(-1)
          ?.accusations.push(accusation)
      },
    },
  })
  const honest = witnesses.filter(({ name }) => name !== LIAR)
  const alive = trace.flatMap((event) => (event.e === "calm" ? event.D.filter((name) => name !== LIAR) : []))
  const ends = alive.map((name) => witnesses.findLast((each) => each.name === name)!.witness.stays.at(-1)!.view)
  return { liar, trace, accusations, ends: new Set(ends), stays: honest.flatMap(({ witness }) => witness.stays) }
}

/** Two who went on together, and were told different things under one number before. */
function* deceived(stays: readonly Stay[]): Generator<readonly [Stay, Stay]> {
  for (const [i, one] of stays.entries()) {
    for (const other of stays.slice(i + 1)) {
      if (one.view !== other.view || one.member === other.member || !one.next || one.next.id !== other.next?.id)
        continue
      const differs = [...one.got].some(([at, digest]) => other.got.has(at) && !equalBytes(other.got.get(at)!, digest))
      if (differs && one.next.transitional.includes(other.member as never)) yield [one, other]
    }
  }
}

const services: readonly (readonly [string, readonly Service[]])[] = [
  ["reliable", ["reliable"]],
  ["fifo", ["fifo"]],
  ["causal", ["causal"]],
  ["all of these", ["reliable", "fifo", "causal"]],
]

test.each(services)(
  "members that move together detect two versions of a message before: %s",
  { timeout: 600_000 },
  (_, lied) => {
    let [pairs, proved] = [0, 0]
    for (let seed = 1; seed <= RUNS; seed++) {
      const { liar, trace, stays, ends, accusations } = playWithLiar(seed, lied)
      // A convicted liar may be left out. The others are in one view in the end.
      const violations = judge(trace).filter(({ property }) => property !== "18 precision")
      expect([violations, ends.size], `seed ${seed}`).toEqual([[], 1])
      for (const [one, other] of deceived(stays)) {
        pairs++
        if ([one, other].some((stay) => stay.accusations.some(({ type }) => type === "fault"))) proved++
        // Reports of each other, or of the member that served a version to both of them when the view ended.
        const noticed = [one, other].some((stay) => stay.accusations.length > 0)
        expect(noticed, `seed ${seed}: ${one.member} and ${other.member}`).toBe(true)
      }
      const named = accusations.flatMap(({ accusation }) => (accusation.type === "fault" ? [accusation.member] : []))
      expect(
        named.filter((member) => member !== liar),
        `seed ${seed}`,
      ).toEqual([])
    }
    expect(pairs).toBeGreaterThan(RUNS / 4)
    // Members that met the other version while theirs was held, and before they moved on.
    expect(proved).toBeGreaterThan(pairs / 2)
  },
)
