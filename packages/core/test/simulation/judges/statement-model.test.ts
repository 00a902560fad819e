import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { NO_STATEMENT, type SignedStatement } from "../../../src/admission/statements/statement.ts"
import { readStatements } from "../../../src/admission/statements/standing.ts"
import { CREATOR, GROUND, LIAR, writeStory } from "../hosts.ts"
import { type Merge, refusedBy } from "./statement-model.ts"

/** Merges by the code, of one member that receives these one after the other. */
function mergesOf(received: readonly (readonly SignedStatement[])[]): Merge[] {
  let own: readonly SignedStatement[] = []
  return received.map((more) => {
    const all = new Map([...own, ...more].map((signed) => [signed.id, signed]))
    const { kept, standing } = readStatements(GROUND, [...all.values()])
    own = kept
    return { member: "m", received: more, kept, digest: standing.digest }
  })
}

/** The appointment, then a host that tells two stories from its first statement on, a third one, and its removal. */
async function received(): Promise<SignedStatement[][]> {
  for (let seed = 1; seed < 100; seed++) {
    const story = await writeStory(seed)
    const firsts = new Map(story.branches.map((branch) => [branch[0]!.id, branch]))
    if (firsts.size < 3) continue
    const [one, other, third] = [...firsts.values()]
    const removal = story.endings.get(one![2]!.id)!
    return [[story.appointment], [...one!], [...other!], [...third!], [...one!, ...removal]]
  }
  throw new Error("no host tells three stories")
}

/** Change it only after comparing `statement-model.ts` with the changed model. */
const COMPARED = "9b924e5f87e92243830dc4753698bb428aa21cf6daee1b59bc4b2f5bd4cdcf62"

test("has the steps of statements.als as it was when both were compared", () => {
  const model = readFileSync(new URL("../../../../../tools/models/alloy/statements.als", import.meta.url))
  expect(createHash("sha256").update(model).digest("hex")).toBe(COMPARED)
})

test("accepts what members keep of a host that contradicts itself and is removed", async () => {
  const steps = await received()
  const merges = mergesOf(steps)
  expect(refusedBy(CREATOR, merges)).toBeNull()
  // The pair convicts the host, and the chain that the removal names counts in the end.
  const hosts = merges.map(({ kept }) => kept.filter(({ statement }) => statement.issuer === LIAR).length)
  expect(hosts).toEqual([0, 5, 2, 2, 3])
})

test.each([
  ["the first story that it has received", 2, (merge: Merge, former: Merge) => ({ ...merge, kept: former.kept })],
  ["one statement of a contradiction", 2, (merge: Merge) => ({ ...merge, kept: merge.kept.slice(0, -1) })],
  [
    "three statements under one number",
    3,
    (merge: Merge) => ({ ...merge, kept: [...new Set([...merge.kept, merge.received[0]!])] }),
  ],
  [
    "statements behind the cut of a removed host",
    4,
    (merge: Merge) => ({ ...merge, kept: [...merge.kept, merge.received[3]!] }),
  ],
  ["less than the cut of a removed host", 4, (merge: Merge) => ({ ...merge, kept: merge.kept.slice(0, 2) })],
])("refuses a member that keeps %s", async (_, at, change) => {
  const steps = await received()
  // The third story has to be the one that is not kept.
  const order = steps.toSpliced(1, 3, ...steps.slice(1, 4).toSorted((a, b) => (a[0]!.id < b[0]!.id ? -1 : 1)))
  const original = mergesOf(at === 3 ? order : steps)
  const merges = original.map((merge, i) => (i === at ? change(merge, original[i - 1]!) : merge))
  expect(refusedBy(CREATOR, merges)).toEqual({ at, reason: expect.stringContaining("keeps") })
})

test("refuses a digest that depends on the pair, and one that omits the conviction", async () => {
  const steps = await received()
  const merges = mergesOf(steps)
  const digests = merges.map(({ digest }) => digest)
  // Two different pairs under one number give one digest.
  expect(digests[3]).toBe(digests[2])
  const altered = (at: number, digest: string): Merge[] =>
    merges.map((merge, i) => (i === at ? { ...merge, digest } : merge))
  expect(refusedBy(CREATOR, altered(3, "0"))).toEqual({ at: 3, reason: expect.stringContaining("another digest") })
  expect(refusedBy(CREATOR, altered(2, digests[0]!))).toEqual({ at: 2, reason: expect.stringContaining("same digest") })
})

test("refuses a statement that comes without its predecessor", async () => {
  const steps = await received()
  const [, one] = steps
  expect(one![1]!.statement.previous).not.toBe(NO_STATEMENT)
  const merges = mergesOf([steps[0]!, one!.slice(1)])
  expect(refusedBy(CREATOR, merges)).toEqual({ at: 1, reason: expect.stringContaining("without") })
})
