/** Members that exchange their statements converge to one set, in any order of hosts' statements and of arrival. */
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { chainOf, creatorsTree, HOST_BYTES_MAX, type Chain } from "../../src/admission/statements/chains.ts"
import {
  NO_STATEMENT,
  removalsDigest,
  type SignedStatement,
  signStatement,
  type StatementBody,
  type StatementId,
} from "../../src/admission/statements/statement.ts"
import { rightsOver, roleOf, type Standing } from "../../src/admission/statements/standing.ts"
import { StatementSet } from "../../src/admission/statements/statement-set.ts"
import type { MemberCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { scope, TIMES } from "./hosts.ts"

const MEMBERS = 4
const PEOPLE = Array.from({ length: 5 }, (_, index) => `${index + 1}`.repeat(64))
const CREATOR = PEOPLE[0]!
/** Signatures are tested elsewhere; here there are thousands of statements. */
const signer = { member: "a".repeat(32), certificate: new Uint8Array(1), sign: async () => new Uint8Array(64) } as never
const checker = { verify: async () => true } as unknown as MemberCredentialChecker

/** Each number picks one of what there is. */
const step = fc.record({
  issuer: fc.nat(PEOPLE.length - 1),
  office: fc.nat(3),
  /** Mostly the last statement, so that there are chains, and at times an earlier one, so that they fork. */
  back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) }),
  kind: fc.constantFrom("host", "host", "editor", "viewer", "removal", "generation", "ticket", "end"),
  subject: fc.nat(PEOPLE.length - 1),
  heard: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(4) }),
  /** Which members have heard of it at first. */
  at: fc.array(fc.boolean(), { minLength: MEMBERS, maxLength: MEMBERS }),
})
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never

function bodyOf({ kind, subject: index }: Step, said: readonly SignedStatement[]): StatementBody {
  const subject = PEOPLE[index]!
  const generations = said.filter(({ statement: { body } }) => body.type === "generation")
  switch (kind) {
    case "removal":
      return { type: "removal", subject }
    case "generation": {
      const secret = `${generations.length % 10}`.repeat(64)
      const removals = removalsDigest([subject])
      return {
        type: "generation",
        generation: generations.length + 2,
        commitment: secret,
        removals,
        staying: [subject],
      }
    }
    case "end":
      return { type: "end", endsAtMs: 1_000 * (1 + index * 2) }
    case "ticket": {
      const generation = generations.at(-1)?.id ?? NO_STATEMENT
      return { type: "ticket", subject, fingerprint: subject, role: "viewer", generation, expiresAtMs: 1 }
    }
    default:
      return { type: "role", subject, role: kind as "host" | "editor" | "viewer" }
  }
}

/** All statements that members could have signed, forks and references to forks among them. */
async function sayAll(steps: readonly Step[]): Promise<SignedStatement[]> {
  const said: SignedStatement[] = []
  for (const each of steps) {
    const issuer = PEOPLE[each.issuer]!
    const appointments = said.filter(({ statement: { body } }) => {
      return body.type === "role" && body.role === "host" && body.subject === issuer
    })
    const appointment = appointments.at(-1 - (each.office % Math.max(1, appointments.length)))
    if (!appointment && issuer !== CREATOR) continue
    const office = issuer === CREATOR ? NO_STATEMENT : appointment!.id
    const after = issuer === CREATOR ? NO_STATEMENT : appointment!.statement.heard
    const own = said.filter(({ statement }) => statement.issuer === issuer && statement.office === office)
    const previous = own.at(-1 - each.back)
    const place = { issuer, office, number: (previous?.statement.number ?? 0) + 1, previous: previous?.id ?? after }
    const ofSubject = said.filter(({ statement }) => statement.issuer === PEOPLE[each.subject])
    const heard = ofSubject.at(-1 - each.heard)?.id ?? NO_STATEMENT
    said.push(await signStatement(signer, scope, { ...place, heard, body: bodyOf(each, said) }))
  }
  return said
}

function newSets(): StatementSet[] {
  const ground = { creator: CREATOR, unnamed: "viewer", times: TIMES } as const
  return PEOPLE.slice(0, MEMBERS).map((self) => new StatementSet(ground, scope, checker, self))
}

/** Two at a time, in this order, as neighbours do it, until nobody has anything new. */
async function exchange(sets: readonly StatementSet[], order: readonly (readonly [number, number])[]): Promise<void> {
  for (let more = true, rounds = 0; more; rounds++) {
    if (rounds > 4 * PEOPLE.length) throw new Error("they never come to one set")
    more = false
    for (const [one, other] of order) {
      const [a, b] = [sets[one]!, sets[other]!]
      const both = [await a.merge(b.encoded()), await b.merge(a.encoded())]
      more ||= both.some(({ changed }) => changed)
    }
  }
}

const pairs = Array.from({ length: MEMBERS }, (_, one) => one).flatMap((one) =>
  Array.from({ length: one }, (_, other) => [one, other] as const),
)
const anyOrder = fc.shuffledSubarray(pairs, { minLength: pairs.length })
const oneStep = { numRuns: 300, endOnFailure: false }

test("all members hold one standing when they have exchanged what they keep", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), anyOrder, fc.nat(5), async (steps, order, chunk) => {
      const said = await sayAll(steps)
      const sets = newSets()
      for (const [index, set] of sets.entries()) {
        const heard = said.filter((_, at) => steps[at]!.at[index]).map(({ bytes }) => bytes)
        // Some have heard it the other way round, and some in pieces.
        if (index % 2) heard.reverse()
        for (let from = 0; from < heard.length; from += chunk + 1) await set.merge(heard.slice(from, from + chunk + 1))
      }
      await exchange(sets, order)
      for (const set of sets) {
        expect(set.standing).toEqual(sets[0]!.standing)
        expect(new Set(set.encoded().map(String))).toEqual(new Set(sets[0]!.encoded().map(String)))
      }
      const newcomer = newSets()[0]!
      await newcomer.merge(sets[0]!.encoded())
      expect(newcomer.standing).toEqual(sets[0]!.standing)
    }),
    oneStep,
  )
})

test("lets the creator remove and admit when others have said anything at all", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), fc.integer({ min: 1, max: 4 }), async (steps, index) => {
      const said = (await sayAll(steps)).map(({ bytes }) => bytes)
      const [set] = newSets()
      await set!.merge(said)
      const subject = PEOPLE[index]!
      const fingerprint = "e".repeat(64)
      const generation = set!.standing.generation?.id ?? NO_STATEMENT
      const ticket = {
        type: "ticket",
        subject: "e".repeat(64),
        fingerprint,
        role: "editor",
        generation,
        expiresAtMs: 1,
      }
      for (const body of [{ type: "removal", subject }, ticket] as StatementBody[]) {
        const heard = set!.standing.heads.get(subject) ?? NO_STATEMENT
        await set!.merge([(await signStatement(signer, scope, { ...set!.next()!, heard, body })).bytes])
      }
      expect(set!.standing.removed).toContain(subject)
      expect(set!.standing.hosts).not.toContain(subject)
      expect(set!.standing.contradicting).not.toContain(subject)
      expect(set!.standing.tickets).toContainEqual(ticket)
    }),
    oneStep,
  )
})

type Tree = readonly SignedStatement[]

/** Statements of one host: `parents` says behind which one each stands; the sizes come near to the quota. */
const tree = fc
  .array(fc.record({ parent: fc.nat(), size: fc.integer({ min: 1, max: HOST_BYTES_MAX }), name: fc.nat(9999) }), {
    maxLength: 14,
  })
  .map((nodes) => {
    const made: SignedStatement[] = []
    for (const [at, { parent, size, name }] of nodes.entries()) {
      const before = made[(parent % (at + 1)) - 1]
      const id: StatementId = `${name}.${at}`
      const [number, previous] = [(before?.statement.number ?? 0) + 1, before?.id ?? NO_STATEMENT]
      const statement = { issuer: CREATOR, office: NO_STATEMENT, number, previous, heard: NO_STATEMENT, body: null }
      made.push({ id, bytes: new Uint8Array(size), statement } as never)
    }
    return made
  })

/** A set that a member can have received: with each statement all before it. */
function closed(all: Tree, wanted: readonly boolean[]): SignedStatement[] {
  const found = new Set<StatementId>()
  for (const [at, each] of all.entries()) {
    if (!wanted[at % Math.max(1, wanted.length)]) continue
    for (let one: SignedStatement | undefined = each; one; one = all.find(({ id }) => id === one!.statement.previous))
      found.add(one.id)
  }
  return all.filter(({ id }) => found.has(id))
}

const keptOf = ({ counting, contradiction }: Chain): SignedStatement[] => [
  ...new Set([...counting, ...(contradiction ?? [])]),
]
const joined = (a: Tree, b: Tree): SignedStatement[] => [...new Set([...a, ...b])]

test.each([
  ["a host's chain", (own: Tree) => chainOf(own, { id: NO_STATEMENT, after: NO_STATEMENT })],
  ["the creator's tree", creatorsTree],
])("keeps the same of %s when parts of it are merged in any way", (_, read) => {
  const some = fc.array(fc.boolean(), { minLength: 1, maxLength: 14 })
  fc.assert(
    fc.property(tree, some, some, (all, first, second) => {
      const [a, b] = [closed(all, first), closed(all, second)]
      const merged = read(joined(keptOf(read(a)), keptOf(read(b))))
      expect(merged).toEqual(read(joined(a, b)))
      expect(read(keptOf(merged))).toEqual(merged)
    }),
    { numRuns: 2000 },
  )
})

test("a host has a right over a person exactly when its statement would take effect", async () => {
  const seen = new Set<string>()
  const person = fc.nat(PEOPLE.length - 1)
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), fc.nat(MEMBERS - 1), person, async (steps, at, index) => {
      const said = (await sayAll(steps)).map(({ bytes }) => bytes)
      const [issuer, subject] = [PEOPLE[at]!, PEOPLE[index]!]
      const after = async (body: StatementBody | null): Promise<Standing> => {
        const set = newSets()[at]!
        await set.merge(said)
        const place = set.next()
        const heard = set.standing.heads.get(subject) ?? NO_STATEMENT
        if (body && place) await set.merge([(await signStatement(signer, scope, { ...place, heard, body })).bytes])
        return set.standing
      }
      const before = await after(null)
      const rights = rightsOver(before, issuer, subject)
      const role = roleOf(before, subject) === "editor" ? "viewer" : "editor"
      const removed = await after({ type: "removal", subject })
      const changed = await after({ type: "role", subject, role })
      expect(rights.mayRemove).toBe(removed.removed.has(subject) && !before.removed.has(subject))
      if (!before.removed.has(subject)) expect(rights.maySetRole).toBe(roleOf(changed, subject) === role)
      seen.add(JSON.stringify(rights))
    }),
    oneStep,
  )
  expect(seen.size).toBeGreaterThan(1)
})
