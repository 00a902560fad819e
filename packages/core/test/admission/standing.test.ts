import { expect, test } from "vitest"
import { removalsDigest, roleOf } from "../../src/admission/index.ts"
import type { SignedStatement } from "../../src/admission/index.ts"
import { standingOf, type Standing } from "../../src/admission/standing.ts"
import { Speaker } from "./hosts.ts"

const identities = await Promise.all(["Ada", "Bob", "Tom", "Eve"].map((name) => Speaker.of(name)))
/** Each test has its own chains. */
const people = (): Speaker[] => identities.map(({ identity }) => new Speaker(identity))
const generation = (number: number, removed: readonly Speaker[] = [], commitment = "11") =>
  ({
    type: "generation",
    generation: number,
    commitment: commitment.repeat(32),
    removals: removalsDigest(removed.map(({ key }) => key)),
    staying: [],
  }) as const

function after(creator: Speaker, ...said: readonly SignedStatement[]): Standing {
  return standingOf(creator.key, said)
}

test("before anything is said the creator is the only host, and everybody else an editor", () => {
  const [ada, bob] = people() as [Speaker, Speaker]
  const standing = after(ada)
  expect(standing.hosts).toEqual([ada.key])
  expect([ada, bob].map(({ key }) => roleOf(standing, key, ""))).toEqual(["host", "editor"])
  expect(standing.closed).toBe(false)
})

test("nobody but a host makes hosts, and a host of a host is one too", async () => {
  const [ada, bob, tom, eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const ofEve = await eve.makes(eve, "host")
  expect(after(ada, ofEve).hosts).toEqual([ada.key])
  const standing = after(ada, await bob.makes(tom, "host"), ofEve, await ada.makes(bob, "host"))
  expect(standing.hosts).toEqual([ada.key, bob.key, tom.key])
})

test("an earlier host removes a later one, never the other way round", async () => {
  const [ada, bob, tom] = people() as [Speaker, Speaker, Speaker]
  const promoted = [await ada.makes(bob, "host"), await bob.makes(tom, "host")]
  const rebellious = [await tom.removes(bob), await tom.removes(ada), await bob.removes(ada), await bob.removes(bob)]
  expect(after(ada, ...promoted, ...rebellious).removed.size).toBe(0)
  expect(after(ada, ...promoted, ...rebellious, await bob.removes(tom)).removed).toEqual(new Set([tom.key]))
})

test("of two hosts that remove one another the earlier's word counts, and the later's is void", async () => {
  const [ada, bob, tom] = people() as [Speaker, Speaker, Speaker]
  const promoted = [await ada.makes(bob, "host"), await ada.makes(tom, "host")]
  const mutual = [await tom.removes(bob), await bob.removes(tom)]
  expect(after(ada, ...promoted, ...mutual).removed).toEqual(new Set([tom.key]))
})

test("what a removed host had said before counts on; what it says later, or says to have said before, does not", async () => {
  const [ada, bob, tom, eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const promoted = await ada.makes(bob, "host")
  const known = await bob.removes(eve)
  const removal = await ada.removes(bob)
  const later = await bob.makes(tom, "host")
  const fork = await bob.makes(tom, "viewer", undefined)
  const backdated = await new Speaker(bob.identity).makes(tom, "host")
  const standing = after(ada, promoted, known, removal, later, fork, backdated)
  expect(standing.hosts).toEqual([ada.key])
  expect(standing.removed).toEqual(new Set([bob.key, eve.key]))
  expect(roleOf(standing, tom.key, "")).toBe("editor")
  // Void ones change nothing, so members who have heard of them agree with those who have not.
  expect(standing).toEqual(after(ada, promoted, known, removal))
})

test("who lost its office can have it again, with all that it had said", async () => {
  const [ada, bob, tom] = people() as [Speaker, Speaker, Speaker]
  const said = [await ada.makes(bob, "host"), await ada.makes(bob, "editor"), await bob.makes(tom, "viewer")]
  expect(roleOf(after(ada, ...said), tom.key, "")).toBe("editor")
  const again = after(ada, ...said, await ada.makes(bob, "host"))
  expect(again.hosts).toEqual([ada.key, bob.key])
  expect(roleOf(again, tom.key, "")).toBe("viewer")
})

test("who was removed stays removed, whatever role it is given", async () => {
  const [ada, bob] = people() as [Speaker, Speaker]
  const standing = after(ada, await ada.removes(bob), await ada.makes(bob, "host"))
  expect(standing.hosts).toEqual([ada.key])
  expect(standing.removed).toEqual(new Set([bob.key]))
})

test("a removal closes the link until a host who knows of it makes another", async () => {
  const [ada, bob, tom, eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const promoted = await ada.makes(bob, "host")
  const removal = await ada.removes(eve)
  expect(after(ada, promoted, removal).closed).toBe(true)
  const renewed = await ada.say(generation(2, [eve]))
  expect(after(ada, promoted, removal, renewed)).toMatchObject({ closed: false, generation: { id: renewed.id } })
  // In another partition, meanwhile: each new link was made without knowing of the other's removal.
  const elsewhere = [await bob.removes(tom), await bob.say(generation(2, [tom], "22"))]
  const merged = after(ada, promoted, removal, renewed, ...elsewhere)
  expect(merged).toMatchObject({ closed: true, generation: { id: renewed.id } })
  const both = await bob.say(generation(3, [tom, eve]))
  expect(after(ada, promoted, removal, renewed, ...elsewhere, both)).toMatchObject({
    closed: false,
    generation: { id: both.id },
  })
})

test("a host cannot take a number of a generation that nobody could follow", async () => {
  const [ada, bob] = people() as [Speaker, Speaker]
  const promoted = await ada.makes(bob, "host")
  expect(after(ada, promoted, await bob.say(generation(2 ** 32 - 1))).generation).toBeNull()
})

test("a ticket is of one generation: the next lets its bearer in only if it says so", async () => {
  const [ada] = people() as [Speaker]
  const fingerprint = "ab".repeat(32)
  const ticket = { type: "ticket", fingerprint, role: "viewer", expiresAtMs: 1 } as const
  const first = await ada.say({ ...ticket, generation: "0".repeat(64) })
  expect([...after(ada, first).tickets.keys()]).toEqual([fingerprint])
  expect(roleOf(after(ada, first), "cd".repeat(32), fingerprint)).toBe("viewer")
  const next = await ada.say(generation(2))
  expect(after(ada, first, next).tickets.size).toBe(0)
  expect(after(ada, first, next, await ada.say({ ...ticket, generation: next.id })).tickets.size).toBe(1)
})
