import { expect, test } from "vitest"
import { TestConference } from "./conference.ts"

test("ignores a person with the invitation that is not admitted", async () => {
  const conference = new TestConference(3)
  const [low, stranger, high] = [0, 1, 2].map((index) => conference.identity(index))
  const admits = ({ member }: { member: string }): boolean => member !== stranger!.member
  const one = conference.join("one", low!, { policy: { admits } })
  const other = conference.join("other", high!, { policy: { admits } })
  const refused = conference.join("stranger", stranger!)
  await conference.pass(30_000)
  expect(one.links).toEqual([other.member])
  expect(other.links).toEqual([one.member])
  expect(refused.links).toEqual([])
  // No peer connection either: that would show the stranger an address.
  expect([one, other].map((member) => member.commandsOf("peer-open").length)).toEqual([1, 1])
  expect(one.mesh.dropped.get("card: of a person who is not admitted")).toBeGreaterThan(0)
  expect(one.securityCodes).toEqual([])
})
