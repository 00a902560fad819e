import type { KeyStructure, KeyTreeNode, Member } from "@keymoot/core"
import type { TFunction } from "i18next"
import { heightOf } from "./layout.ts"

/** With more names than this they are not read out: they stand beside the picture. */
const NAMES_SPOKEN_MAX = 12

/** The picture's description for a screen reader. */
export function describeStructure(structure: KeyStructure, t: TFunction, language: string): string {
  const shape = describeShape(structure, t, language)
  const fresh = namesNew(structure)
  if (fresh.length === 0 || structure.kind === "quorum") return shape
  return `${shape} ${t("keyPicture.newOf", { names: list(fresh, language) })}`
}

function describeShape(structure: KeyStructure, t: TFunction, language: string): string {
  if (structure.kind === "tree") {
    const leaves = leavesOf(structure.root)
    const nested = leaves.length <= NAMES_SPOKEN_MAX ? nest(structure.root) : list(leaves.map(nameOf), language)
    return t("keyPicture.tree", { count: leaves.length, height: heightOf(structure.root), nested })
  }
  const { kind, seats } = structure
  const count = seats.length
  const names = list(seats.map(nameOf), language)
  if (kind === "ring") return t("keyPicture.ring", { count, names })
  if (kind === "chain") return t("keyPicture.chain", { count, names })
  if (kind === "star") return t("keyPicture.star", { count, name: seats[0]?.member.name ?? "" })
  const contributing = seats.filter(({ isNew }) => isNew)
  return t("keyPicture.quorum", { count, of: contributing.length, names: list(contributing.map(nameOf), language) })
}

function namesNew(structure: KeyStructure): string[] {
  const seats = structure.kind === "tree" ? leavesOf(structure.root) : structure.seats
  return seats.filter(({ isNew }) => isNew).map(nameOf)
}

function leavesOf(node: KeyTreeNode): (KeyTreeNode & { kind: "leaf" })[] {
  return node.kind === "leaf" ? [node] : [...leavesOf(node.left), ...leavesOf(node.right)]
}

/** "((Ada, Bob), Eve)": the nested groups that share a key. */
function nest(node: KeyTreeNode): string {
  return node.kind === "leaf" ? node.member.name : `(${nest(node.left)}, ${nest(node.right)})`
}

function nameOf({ member }: { readonly member: Member }): string {
  return member.name
}

function list(names: readonly string[], language: string): string {
  const spoken = names.slice(0, NAMES_SPOKEN_MAX)
  return new Intl.ListFormat(language).format(names.length > spoken.length ? [...spoken, "…"] : spoken)
}
