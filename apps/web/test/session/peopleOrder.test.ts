import type { Member } from "@keymoot/core"
import { expect, it } from "vitest"
import { inPeopleOrder } from "../../src/people/peopleOrder.ts"

const person = (id: string, name: string, more: Partial<Member> = {}) =>
  ({ id: id as Member["id"], name, publicKey: id, role: "editor", self: false, ...more }) as Member

const MEMBERS = [
  person("9", "Zoe"),
  person("1", "Émile", { role: "viewer" }),
  person("7", "Bob"),
  person("3", "Walter", { role: "host" }),
  person("5", "bob"),
  person("4", "Anna", { role: "host" }),
  person("8", "Mia", { self: true }),
]

it("lists oneself first, then hosts, then the others by name", () => {
  const names = inPeopleOrder(MEMBERS, "en-GB").map(({ name }) => name)
  expect(names).toEqual(["Mia", "Anna", "Walter", "bob", "Bob", "Émile", "Zoe"])
})

it("keeps the order of equal names in any order of arrival", () => {
  const equal = [person("2", "Bob"), person("1", "Bob")]
  for (const members of [equal, equal.toReversed()])
    expect(inPeopleOrder(members, "en").map(({ id }) => id)).toEqual(["1", "2"])
})
