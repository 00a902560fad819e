import type { Member } from "@keymoot/core"
import { expect, it } from "vitest"
import { FORMER_NAMES_MAX, openFormerNames } from "../../src/session/room/formerNames.ts"

const person = (name: string, publicKey: string | null): Member => ({ id: name, name, publicKey }) as unknown as Member
const [ada, eve, mallory] = [person("Ada", "a"), person("Eve", "a"), person("Ada", "m")]

it("names the earlier name of a person with the same key", () => {
  const names = openFormerNames()
  names.note([ada])
  names.note([])
  expect(names.of(eve, [eve])).toEqual({ member: eve, before: "Ada" })
  expect(names.of(ada, [ada])).toBeNull()
})

it("takes nobody with another key, or with none, for the person with that name", () => {
  const names = openFormerNames()
  names.note([ada, person("Bob", null)])
  expect(names.of(mallory, [mallory])).toBeNull()
  names.note([mallory])
  expect(names.of(person("Eve", "m"), [])).toEqual({ member: person("Eve", "m"), before: "Ada" })
  expect(names.of(person("Bobby", null), [])).toBeNull()
})

it("tells of no change while the earlier name is still here", () => {
  const names = openFormerNames()
  names.note([ada])
  expect(names.of(eve, [ada, eve])).toBeNull()
})

it("forgets the people met first beyond the bound", () => {
  const names = openFormerNames()
  names.note([ada])
  names.note(Array.from({ length: 10 * FORMER_NAMES_MAX }, (_, i) => person(`Puppet ${i}`, `${i}`)))
  expect(names.of(eve, [])).toBeNull()
})
