/** Exponentiations by role, as tables 2 and 3 of Secure Spread have them. */
import type { KeyAgreementName, MemberId } from "@keymoot/gke"
import type { EventName } from "./papers.ts"

/** The busiest member that sends is the controller or the sponsor. "Another" is the busiest member without a message. */
export const ROLES = ["controller or sponsor", "newcomer", "another member"] as const
export type Role = (typeof ROLES)[number]
/** The busiest member counts for its role. A role that no member has is absent. */
export type Roles = Readonly<Partial<Record<Role, number>>>

export const roleMetric = (role: Role): string => `exponentiations of the ${role}`.replace("the another", "another")

export function rolesOf(
  worked: ReadonlyMap<MemberId, number>,
  senders: ReadonlySet<MemberId>,
  before: readonly MemberId[],
): Roles {
  const roleOf = (id: MemberId): Role => {
    if (!before.includes(id)) return "newcomer"
    return senders.has(id) ? "controller or sponsor" : "another member"
  }
  const roles: Partial<Record<Role, number>> = {}
  for (const [id, exponentiations] of worked) {
    const role = roleOf(id)
    roles[role] = Math.max(roles[role] ?? 0, exponentiations)
  }
  return roles
}

/**
 * Tables 2 and 3 of Amir et al., "Secure Group Communication in Asynchronous Networks with Failures". Their numbers include
 * the keys of the long-term exchange between two members. Their GDH is an earlier one, whose newcomer is the controller.
 *
 * @param n members before the event
 */
export function papersRole(module: KeyAgreementName, event: EventName, n: number, role: Role): number | undefined {
  return tables[module]?.[event]?.[role]?.(n)
}

type ByRole = Readonly<Partial<Record<Role, (n: number) => number>>>

const tables: Readonly<Partial<Record<KeyAgreementName, Readonly<Partial<Record<EventName, ByRole>>>>>> = {
  gdh: {
    join: { "controller or sponsor": (n) => n + 2, newcomer: (n) => 2 * n + 1 },
    leave: { "controller or sponsor": (n) => n },
  },
  ckd: {
    join: { "controller or sponsor": (n) => n + 3, newcomer: () => 4 },
    leave: { "controller or sponsor": (n) => n - 1 },
  },
}
