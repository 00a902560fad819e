import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { Roster } from "../../src/content/presented-view.ts"
import type { KnownCredentials } from "../../src/frames/frame-opener.ts"
import type { VerifiedPeople } from "../../src/identity/verified-people.ts"

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
