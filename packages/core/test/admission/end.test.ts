/** The end of a conference as hosts set it, and what attackers cannot do with it. */
import { expect, test } from "vitest"
import type { SignedStatement } from "../../src/admission/statements/statement.ts"
import { maySetEnd, readStatements, type Standing } from "../../src/admission/statements/standing.ts"
import { bytesOf, groundOf, setOf, Speaker, TIMES } from "./hosts.ts"

const identities = await Promise.all(["Ada", "Bob", "Tom"].map((name) => Speaker.of(name)))
const people = () => identities.map(({ identity }) => new Speaker(identity)) as [Speaker, Speaker, Speaker]
const at = (endsAtMs: number) => ({ type: "end", endsAtMs }) as const
const after = (creator: Speaker, ...said: readonly SignedStatement[]): Standing =>
  readStatements(groundOf(creator), said).standing

test("a host extends the conference, ends it, and changes its mind", async () => {
  const [ada] = people()
  expect(after(ada).end).toEqual({ atMs: TIMES.endsAtMs, by: null })
  const said = [await ada.say(at(7_000))]
  expect(after(ada, ...said).end).toEqual({ atMs: 7_000, by: ada.key })
  said.push(await ada.say(at(TIMES.startsAtMs)))
  expect(after(ada, ...said).end.atMs).toBe(TIMES.startsAtMs)
  said.push(await ada.say(at(TIMES.expiresAtMs)))
  expect(after(ada, ...said.toReversed()).end.atMs).toBe(TIMES.expiresAtMs)
})

test("applies the higher host's end over a lower one's", async () => {
  const [ada, bob, tom] = people()
  const hosts = [await ada.makes(bob, "host"), await bob.makes(tom, "host")]
  const ofTom = await tom.say(at(TIMES.startsAtMs))
  expect(after(ada, ...hosts, ofTom).end.by).toBe(tom.key)
  const standing = after(ada, ...hosts, ofTom, await bob.say(at(6_000)))
  expect(standing.end).toEqual({ atMs: 6_000, by: bob.key })
  expect([ada, bob, tom].map(({ key }) => maySetEnd(standing, key))).toEqual([true, true, false])
})

test("lets only hosts set the end", async () => {
  const [ada, bob] = people()
  const forged = await bob.say(at(TIMES.expiresAtMs))
  expect(after(ada, forged).end.by).toBe(null)
  const set = setOf(ada)
  expect(await set.merge(bytesOf(forged))).toMatchObject({ changed: false })
  // Bob signs in the name of Ada.
  const posed = await Object.assign(bob.fork(), { office: ada.office }).say(at(TIMES.expiresAtMs))
  const bytes = posed.bytes.slice()
  bytes.set(ada.identity.publicKey, 64 + 1)
  expect(await set.merge([bytes])).toEqual({ changed: false, bad: true })
  expect(set.standing.end.by).toBe(null)
})

test("a removed host's end counts only if its remover knew it", async () => {
  const [ada, bob] = people()
  const hosts = [await ada.makes(bob, "host")]
  const known = await bob.say(at(7_000))
  const removal = await ada.removes(bob)
  const later = await bob.say(at(TIMES.expiresAtMs))
  const backdated = await bob.fork().say(at(TIMES.expiresAtMs))
  for (const more of [[], [later], [backdated], [later, backdated]])
    expect(after(ada, ...hosts, known, removal, ...more).end).toEqual({ atMs: 7_000, by: bob.key })
})

test("a host that tells two ends apart convicts itself, and neither applies", async () => {
  const [ada, bob] = people()
  const hosts = [await ada.makes(bob, "host")]
  const two = [await bob.fork().say(at(6_000)), await bob.fork().say(at(8_000))]
  for (const order of [two, two.toReversed()]) {
    const standing = after(ada, ...hosts, ...order)
    expect(standing.end).toEqual({ atMs: TIMES.endsAtMs, by: null })
    expect(standing.contradicting).toEqual(new Set([bob.key]))
  }
})

test("an end outside the descriptor's bounds is void, also the creator's", async () => {
  const [ada, bob] = people()
  const valid = [await ada.makes(bob, "host"), await bob.say(at(6_000))]
  for (const atMs of [TIMES.startsAtMs - 1, TIMES.expiresAtMs + 1, 8.64e15]) {
    const beyond = await ada.fork(ada.said.length).say(at(atMs))
    expect(after(ada, ...valid, beyond).end).toEqual({ atMs: 6_000, by: bob.key })
  }
})

test("a kept back extension leaves the earlier end until the statement arrives", async () => {
  const [ada] = people()
  const extension = await ada.say(at(8_000))
  const set = setOf(ada)
  expect(set.standing.end.atMs).toBe(TIMES.endsAtMs)
  await set.merge(bytesOf(extension))
  expect(set.standing.end.atMs).toBe(8_000)
})
