import { expect, test } from "vitest"
import { removalsDigest, type SignedStatement } from "../../src/admission/statements/statement.ts"
import {
  NO_RIGHTS,
  readStatements,
  rightsOver,
  roleOf,
  type Standing,
} from "../../src/admission/statements/standing.ts"
import { groundOf, Speaker } from "./hosts.ts"

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
  return readStatements(groundOf(creator), said).standing
}

test("the creator is the only host and all others editors before any statement", () => {
  const [ada, bob] = people() as [Speaker, Speaker]
  const standing = after(ada)
  expect(standing.hosts).toEqual([ada.key])
  expect([ada, bob].map(({ key }) => roleOf(standing, key))).toEqual(["host", "editor"])
  expect(standing.closed).toBe(false)
})

test("lets only hosts make hosts, and a host of a host is one too", async () => {
  const [ada, bob, tom, eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const ofEve = await eve.fork().makes(eve, "host")
  expect(after(ada, ofEve).hosts).toEqual([ada.key])
  const first = await ada.makes(bob, "host")
  const standing = after(ada, await bob.makes(tom, "host"), ofEve, first)
  expect(standing.hosts).toEqual([ada.key, bob.key, tom.key])
})

test("an earlier host removes a later one, never the other way round", async () => {
  const [ada, bob, tom] = people() as [Speaker, Speaker, Speaker]
  const promoted = [await ada.makes(bob, "host"), await bob.makes(tom, "host")]
  const rebellious = [await tom.removes(bob), await tom.removes(ada), await bob.removes(ada), await bob.removes(bob)]
  expect(after(ada, ...promoted, ...rebellious).removed.size).toBe(0)
  expect(after(ada, ...promoted, ...rebellious, await bob.removes(tom)).removed).toEqual(new Set([tom.key]))
})

test("the earlier statement wins when two hosts remove each other", async () => {
  const [ada, bob, tom] = people() as [Speaker, Speaker, Speaker]
  const promoted = [await ada.makes(bob, "host"), await ada.makes(tom, "host")]
  const mutual = [await tom.removes(bob), await bob.removes(tom)]
  expect(after(ada, ...promoted, ...mutual).removed).toEqual(new Set([tom.key]))
})

test("keeps a host's statements when the creator removes it, appointed by any host", async () => {
  const [ada, bob, tom, eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const appointed = [await ada.makes(bob, "host"), await bob.makes(tom, "host")]
  const known = await tom.removes(eve)
  for (const end of [(creator: Speaker) => creator.removes(tom), (creator: Speaker) => creator.makes(tom, "viewer")]) {
    const creator = ada.fork(ada.said.length)
    const { hosts, removed, heads } = after(ada, ...appointed, known, await end(creator))
    expect(hosts).toEqual([ada.key, bob.key])
    expect(removed).toContain(eve.key)
    expect(heads.get(tom.key)).toBe(known.id)
  }
})

test("keeps a removed host's earlier statements and ignores later or backdated ones", async () => {
  const [ada, bob, tom, eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const promoted = await ada.makes(bob, "host")
  const known = await bob.removes(eve)
  const removal = await ada.removes(bob)
  const later = await bob.makes(tom, "host")
  const more = await bob.makes(tom, "viewer")
  const backdated = await bob.fork().makes(tom, "host")
  const standing = after(ada, promoted, known, removal, later, more, backdated)
  expect(standing.hosts).toEqual([ada.key])
  expect(standing.removed).toEqual(new Set([bob.key, eve.key]))
  expect(roleOf(standing, tom.key)).toBe("editor")
  // Void ones change nothing, so members who have heard of them agree with those who have not.
  expect(standing).toEqual(after(ada, promoted, known, removal))
})

test("counts what a host had said before its office ended when it has another", async () => {
  const [ada, bob, tom, eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const said = [await ada.makes(bob, "host"), await bob.makes(tom, "viewer"), await ada.makes(bob, "editor")]
  const unheard = await bob.fork(1).makes(eve, "viewer")
  expect(roleOf(after(ada, ...said, unheard), bob.key)).toBe("editor")
  const again = [...said, await ada.makes(bob, "host"), await bob.makes(tom, "editor")]
  const standing = after(ada, ...again)
  expect(standing.hosts).toEqual([ada.key, bob.key])
  expect(roleOf(standing, tom.key)).toBe("editor")
  // It said this in its former office: that is no contradiction to what it says in this one, nor does it count.
  expect(after(ada, ...again, unheard)).toEqual(standing)
})

test("keeps a removed person out when it is given a role", async () => {
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

test("keeps the role of a ticket when its generation is over", async () => {
  const [ada, bob] = people() as [Speaker, Speaker]
  const fingerprint = "ab".repeat(32)
  const ticket = { type: "ticket", subject: bob.key, fingerprint, role: "viewer", expiresAtMs: 1 } as const
  const first = await ada.say({ ...ticket, generation: "0".repeat(64) })
  expect(after(ada, first).tickets).toEqual([first.statement.body])
  expect(roleOf(after(ada, first), bob.key)).toBe("viewer")
  const next = await ada.say(generation(2))
  expect(after(ada, first, next).tickets).toEqual([])
  expect(roleOf(after(ada, first, next), bob.key)).toBe("viewer")
  expect(after(ada, first, next, await ada.say({ ...ticket, generation: next.id })).tickets).toHaveLength(1)
})

test("prefers a given role to a ticket, and a higher host's ticket to a lower's", async () => {
  const [ada, bob, tom] = people() as [Speaker, Speaker, Speaker]
  const ticket = { type: "ticket", subject: tom.key, fingerprint: "ab".repeat(32), expiresAtMs: 1 } as const
  const here = { ...ticket, generation: "0".repeat(64) }
  const said = [await ada.makes(bob, "host"), await ada.say({ ...here, role: "viewer" })]
  said.push(await bob.say({ ...here, role: "editor" }))
  expect(roleOf(after(ada, ...said), tom.key)).toBe("viewer")
  expect(roleOf(after(ada, ...said, await bob.makes(tom, "editor")), tom.key)).toBe("editor")
})

test("gives the conference's role to a person when no host has named one", async () => {
  const [ada, bob] = people() as [Speaker, Speaker]
  const roles = (["editor", "viewer"] as const).map((unnamed) => {
    return roleOf(readStatements(groundOf(ada, unnamed), []).standing, bob.key)
  })
  expect(roles).toEqual(["editor", "viewer"])
})

test("ends an office at a number when its host has said two things under it", async () => {
  const [ada, bob, tom, eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const said = [await ada.makes(bob, "host"), await bob.removes(eve)]
  const forks = [await bob.fork(1).makes(tom, "host"), await bob.fork(1).makes(tom, "viewer")]
  const standing = after(ada, ...said, ...forks)
  expect(standing).toMatchObject({ hosts: [ada.key], contradicting: new Set([bob.key]), removed: new Set([eve.key]) })
  expect([bob, tom].map(({ key }) => roleOf(standing, key))).toEqual(["viewer", "editor"])
  // Any two say the same of it, and a lower number says more.
  const third = await bob.fork(1).makes(tom, "editor")
  expect(after(ada, ...said, forks[1]!, third)).toEqual(standing)
  expect(after(ada, ...said, ...forks, await bob.fork().makes(tom, "viewer")).removed).toEqual(new Set())
  // The creator decides what becomes of it.
  const again = await ada.makes(bob, "host")
  expect(after(ada, ...said, ...forks, again).hosts).toEqual([ada.key, bob.key])
})

test("counts what the remover had heard when the removed host contradicts it", async () => {
  const [ada, bob, tom, eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const said = [await ada.makes(bob, "host"), await bob.removes(eve)]
  const other = await bob.fork().makes(tom, "host")
  const standing = after(ada, ...said, await ada.removes(bob), other)
  expect(standing.removed).toEqual(new Set([bob.key, eve.key]))
  expect(standing.contradicting.size).toBe(0)
})

test("counts both when the creator says two things under one number", async () => {
  const [ada, bob, tom] = people() as [Speaker, Speaker, Speaker]
  const standing = after(ada, await ada.fork().removes(tom), await ada.removes(bob))
  expect(standing).toMatchObject({ hosts: [ada.key], removed: new Set([bob.key, tom.key]) })
  expect(standing.contradicting).toEqual(new Set([ada.key]))
})

test("a host has no right over a former host of a higher rank", async () => {
  const [ada, bob, tom, eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const hosts = [await ada.makes(bob, "host"), await ada.makes(tom, "host"), await bob.removes(eve)]
  expect(rightsOver(after(ada, ...hosts), bob.key, tom.key)).toEqual({ mayRemove: true, maySetRole: false })
  expect(rightsOver(after(ada, ...hosts), tom.key, bob.key)).toEqual(NO_RIGHTS)
  const ended = after(ada, ...hosts, await ada.makes(bob, "editor"))
  expect(rightsOver(ended, tom.key, bob.key)).toEqual(NO_RIGHTS)
  expect(rightsOver(ended, ada.key, bob.key)).toEqual({ mayRemove: true, maySetRole: true })
  expect(rightsOver(ended, ada.key, ada.key)).toEqual(NO_RIGHTS)
  expect(rightsOver(ended, bob.key, tom.key)).toEqual(NO_RIGHTS)
})

test("a host may only remove a person whose role a higher host has set", async () => {
  const [ada, bob, , eve] = people() as [Speaker, Speaker, Speaker, Speaker]
  const said = [await ada.makes(bob, "host"), await ada.makes(eve, "viewer")]
  expect(rightsOver(after(ada, ...said), bob.key, eve.key)).toEqual({ mayRemove: true, maySetRole: false })
})
