import type { Member } from "../../api/index.ts"
import type { Standing } from "./standing.ts"
import type { PersonKey } from "./statement.ts"

/** Role and rank of a member, and the rights of this one over it. */
export type MemberRights = Pick<Member, "role" | "rank" | "mayRemove" | "maySetRole">
type Rights = Pick<Member, "mayRemove" | "maySetRole">
export const NO_RIGHTS: Rights = { mayRemove: false, maySetRole: false }

/** Whether a statement of `issuer` about the end would take effect. */
export function maySetEnd({ hosts, everHosts, end }: Standing, issuer: PersonKey): boolean {
  const ranks = [...everHosts]
  return hosts.includes(issuer) && (end.by === null || ranks.indexOf(issuer) <= ranks.indexOf(end.by))
}

/**
 * Returns which statements of `issuer` about `subject` would take effect. A statement about a present or former host of
 * the same or a higher rank is void. So is a role statement about a person to whom a host of a higher rank has given a
 * role.
 */
export function rightsOver(standing: Standing, issuer: PersonKey, subject: PersonKey): Rights {
  const { hosts, everHosts, roleIssuers, removed } = standing
  const ranks = [...everHosts]
  const rank = ranks.indexOf(issuer)
  const isAbove = (other: PersonKey): boolean => !everHosts.has(other) || rank < ranks.indexOf(other)
  if (!hosts.includes(issuer) || removed.has(subject) || !isAbove(subject)) return NO_RIGHTS
  const decider = roleIssuers.get(subject)
  return { mayRemove: true, maySetRole: decider === undefined || decider === issuer || isAbove(decider) }
}
