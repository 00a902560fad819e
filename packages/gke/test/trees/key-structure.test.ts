import { expect, test } from "vitest"
import type { KeyAgreementName, KeyStructure, KeyTreeNode, MemberId } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { Harness, memberNamed } from "../harness.ts"

const group = createToyGroup()
const ids = (names: string): MemberId[] => [...names].map(memberNamed)

function harnessOf(module: KeyAgreementName, names: string): Harness {
  const harness = new Harness(group, { seed: names, module })
  for (const name of names) harness.start(name)
  return harness
}

function structureAt(harness: Harness, name: string): KeyStructure | null {
  return harness.member(memberNamed(name)).agreement.structure()
}

/** Names as letters, what is new in capitals, a branch in round brackets, or in square ones if its key is new. */
function drawn(structure: KeyStructure | null): string {
  if (structure === null) return ""
  if (structure.kind === "tree") return drawnNode(structure.root)
  return `${structure.kind} ${structure.seats.map(letter).join("")}`
}

function drawnNode(node: KeyTreeNode): string {
  if (node.kind === "leaf") return letter(node)
  const inside = drawnNode(node.left) + drawnNode(node.right)
  return node.isNew ? `[${inside}]` : `(${inside})`
}

function letter({ member, isNew }: { readonly member: MemberId; readonly isNew: boolean }): string {
  const name = String.fromCodePoint(Number.parseInt(member.slice(0, 2), 16))
  return isNew ? name.toUpperCase() : name
}

/** As everybody sees it: four come one after the other, the second goes, and the rest take a new key. */
test.each([
  ["tgdh", ["[AB]", "[[aB]C]", "[(ab)[CD]]", "[A(cd)]", "[a[CD]]"]],
  ["str", ["[AB]", "[[aB]C]", "[[(ab)C]D]", "[[AC]D]", "[[AC]D]"]],
  ["bd", ["ring AB", "ring ABC", "ring ABCD", "ring ACD", "ring ACD"]],
  ["gdh", ["chain AB", "chain aBC", "chain abCD", "chain acD", "chain Acd"]],
  ["ckd", ["star AB", "star ABC", "star ABCD", "star ACD", "star ACD"]],
] as const)("%s shows who stands where, and what the last change made new", (module, expected) => {
  const harness = harnessOf(module, "abcd")
  expect(structureAt(harness, "a")).toBeNull()
  const memberships = ["a", "ab", "abc", "abcd", "acd", "acd"]
  const seen = memberships.map((names) => {
    harness.change(ids(names))
    for (const name of names) expect(drawn(structureAt(harness, name)), name).toBe(drawn(structureAt(harness, "a")))
    return drawn(structureAt(harness, "a"))
  })
  expect(seen.slice(1)).toEqual(expected)
})

test("while a key is being agreed the structure of the last one stays", () => {
  const harness = harnessOf("tgdh", "abc")
  harness.change(ids("ab"))
  const before = structureAt(harness, "a")
  harness.propose(ids("abc"))
  expect(structureAt(harness, "a")).toBe(before)
})
