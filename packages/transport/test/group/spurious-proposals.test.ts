import { expect, test } from "vitest"
import type { CoreContext } from "../../src/membership/core-context.ts"
import { SpuriousProposals } from "../../src/membership/spurious-proposals.ts"
import type { MemberId } from "../../src/members/ids.ts"

const [COORDINATOR, SELF, DENYING, VICTIM] = ["1", "2", "3", "4"] as [MemberId, MemberId, MemberId, MemberId]
const instances = (...ids: MemberId[]) => ids.map((id) => ({ id, incarnation: 1 }))

/** Members that a proposal is blamed on, if everybody is up and one member denies that another is. */
function blamedFor(
  proposed: readonly MemberId[],
  denied: MemberId | null,
  ...unusableBy: readonly MemberId[]
): MemberId[] {
  const blamed: MemberId[] = []
  const context = {
    config: { self: instances(SELF)[0] },
    view: { id: "view", members: instances(COORDINATOR, SELF, DENYING, VICTIM) },
    neighbours: {
      isUp: () => true,
      heartbeatOf: () => ({ view: "view", promised: { epoch: 1, coordinator: COORDINATOR } }),
      holdsUp: (by: MemberId, member: MemberId) => !(by === DENYING && member === denied),
    },
    blame: (member: MemberId) => blamed.push(member),
  } as unknown as CoreContext
  const proposal = { epoch: 2, coordinator: COORDINATOR }
  const proposals = new SpuriousProposals(context)
  for (const member of unusableBy) proposals.onUnusable([member])
  proposals.onAccept({ proposal, members: instances(...proposed) }, 0)
  return blamed
}

test("blames a coordinator that leaves out a member which all others reach", () => {
  expect(blamedFor([COORDINATOR, SELF, VICTIM], null)).toEqual([COORDINATOR])
})

test("blames no coordinator that leaves out a member which denies another one", () => {
  expect(blamedFor([COORDINATOR, SELF, VICTIM], VICTIM)).toEqual([])
})

test("blames no coordinator that replaces a view which another member made unusable", () => {
  const all = [COORDINATOR, SELF, DENYING, VICTIM]
  expect(blamedFor(all, null)).toEqual([COORDINATOR])
  expect(blamedFor(all, null, DENYING)).toEqual([])
})

test("blames a coordinator that made the view unusable, or leaves out an innocent one", () => {
  expect(blamedFor([COORDINATOR, SELF, DENYING, VICTIM], null, COORDINATOR, DENYING)).toEqual([COORDINATOR])
  expect(blamedFor([COORDINATOR, SELF, DENYING], null, DENYING)).toEqual([COORDINATOR])
})
