import type { KeyStructure as Structure, KeyTreeNode as Node } from "@keymoot/gke"
import type { MemberId } from "@keymoot/transport"
import type { KeyStructure, KeyTreeNode, Member } from "../api.ts"

/** The structure of the key, with people in the place of ids. */
export function presentStructure(structure: Structure, memberOf: (id: MemberId) => Member): KeyStructure {
  if (structure.kind === "tree") return { kind: "tree", root: presentNode(structure.root, memberOf) }
  const seats = structure.seats.map(({ member, isNew }) => ({ member: memberOf(member), isNew }))
  return { kind: structure.kind, seats }
}

function presentNode(node: Node, memberOf: (id: MemberId) => Member): KeyTreeNode {
  if (node.kind === "leaf") return { ...node, member: memberOf(node.member) }
  return { ...node, left: presentNode(node.left, memberOf), right: presentNode(node.right, memberOf) }
}
