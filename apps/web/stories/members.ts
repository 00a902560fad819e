import type { KeyStructure, Member } from "@keymoot/core"

/** `as`: values that differ from the usual ones. */
export function memberOf(
  index: number,
  name: string,
  { viewer, ...as }: Partial<Member> & { readonly viewer: boolean },
): Member {
  const id = `${index}`.padStart(32, "0") as Member["id"]
  const [mine, others] = viewer ? (["viewer", "host"] as const) : (["host", "editor"] as const)
  const role = index === 0 ? mine : others
  const mayDecide = !viewer && index > 0
  return {
    id,
    name,
    publicKey: id,
    role,
    rank: role === "host" ? Math.max(0, index - 1) : null,
    mayRemove: mayDecide,
    maySetRole: mayDecide,
    self: index === 0,
    verified: index === 1 && as.changedKey !== true,
    changedKey: false,
    ...as,
  }
}

/** The last of them is new. */
export function structureOf(kind: KeyStructure["kind"], members: readonly Member[]): object {
  if (kind === "tree") return { kind, root: treeOf(members) }
  return { kind, seats: members.map((member, index) => ({ member, isNew: index === members.length - 1 })) }
}

function treeOf(members: readonly Member[], last = members.at(-1)!): object {
  const [member] = members
  if (members.length === 1) return { kind: "leaf", member, isNew: member?.id === last.id }
  const half = Math.ceil(members.length / 2)
  const [left, right] = [members.slice(0, half), members.slice(half)]
  return { kind: "branch", isNew: members.at(-1)?.id === last.id, left: treeOf(left, last), right: treeOf(right, last) }
}
