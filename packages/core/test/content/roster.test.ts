import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { Roster } from "../../src/content/presented-view.ts"
import type { KnownCredentials } from "../../src/frames/frame-opener.ts"
import { createCredentialChecker } from "../../src/identity/certificates/credential-checker.ts"
import { createMemoryStore } from "../../src/identity/memory-store.ts"
import { openIdentity } from "../../src/identity/own-identity.ts"
import { VerifiedPeople } from "../../src/identity/verified-people.ts"

const [ADA, BOB] = ["ada", "bob"] as [MemberId, MemberId]
const viewOf = (epoch: number, ...members: readonly MemberId[]): View =>
  ({ id: `v${epoch}`, epoch, members: members.map((id) => ({ id, incarnation: 1 })) }) as unknown as View

function rosterOf(departed: Set<MemberId>) {
  const people = { isVerified: () => false, impostors: () => new Set() } as unknown as VerifiedPeople
  const rules = { rights: () => ({}), isRemoved: () => false } as never
  const roster = new Roster(ADA, new Map() as unknown as KnownCredentials, people, departed, rules)
  return (view: View) => {
    roster.advance(view, "secured", 1)
    return roster.change()
  }
}

test("forgets the goodbye of guests that leave before their view has a key", () => {
  const departed = new Set<MemberId>()
  const secured = rosterOf(departed)
  secured(viewOf(1, ADA))
  for (let i = 0; i < 1000; i++) departed.add(`guest ${i}` as MemberId)
  secured(viewOf(3, ADA))
  expect(departed.size).toBe(0)
})

test("shows a verified member as an impostor when it has the name of another one", async () => {
  const store = createMemoryStore()
  const { id, signer, publicKey } = await openIdentity({ name: "Me", store })
  const people = await VerifiedPeople.open({ store, id, signer, publicKey, checker: createCredentialChecker() })
  const [ada, bob] = [1, 2].map((n) => new Uint8Array(32).fill(n)) as [Uint8Array, Uint8Array]
  await people.verify(ada, "Ada", 1)
  await people.verify(bob, "Bob", 1)
  const known = new Map([[BOB, { member: BOB, name: "Ada", publicKey: bob }]]) as unknown as KnownCredentials
  const rules = { rights: () => ({}), isRemoved: () => false } as never
  const roster = new Roster(ADA, known, people, new Set(), rules)
  const shown = () => roster.renew().members.find((member) => member.id === BOB)
  roster.advance(viewOf(1, ADA, BOB), "secured", 1)
  expect(shown()).toMatchObject({ verified: false, changedKey: true })
  expect(roster.newImpostors().map((member) => member.id)).toEqual([BOB])
  // Bob keeps the new name, and both have compared codes again.
  await people.verify(bob, "Ada", 2)
  expect(shown()).toMatchObject({ verified: true, changedKey: false })
})

test("tells a goodbye from a loss when it came in the view before", () => {
  const departed = new Set<MemberId>()
  const secured = rosterOf(departed)
  secured(viewOf(1, ADA, BOB))
  departed.add(BOB)
  secured(viewOf(2, ADA, BOB))
  const { left, lost } = secured(viewOf(3, ADA))
  expect([left.map(({ id }) => id), lost]).toEqual([[BOB], []])
  expect(departed.size).toBe(0)
})
