import type { Member } from "@keymoot/core"

type Listed = Pick<Member, "id" | "name" | "publicKey" | "role" | "self">

/** Oneself first, then the hosts, then the others, each by name. Equal names are ordered by id, so rows do not jump. */
export function inPeopleOrder<M extends Listed>(members: readonly M[], language: string): M[] {
  const { compare } = new Intl.Collator(language)
  const rank = ({ self, role }: Listed): number => (self ? 0 : role === "host" ? 1 : 2)
  return members.toSorted(
    (one, other) => rank(one) - rank(other) || compare(one.name, other.name) || (one.id < other.id ? -1 : 1),
  )
}

/** Whether a member is this person on another device. There is nothing to verify, since both have the own key. */
export function isOwnDevice({ self, publicKey }: Listed, own: Pick<Member, "publicKey">): boolean {
  return !self && publicKey !== null && publicKey === own.publicKey
}
