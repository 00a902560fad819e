/** Whether this member accepts another one's proposal of a view. */
import { indexOfMember } from "../view/view.ts"
import type { MemberId } from "../members/ids.ts"
import { compareProposals, type MemberInstance, type ProposalId, type Propose } from "../wire/messages.ts"
import type { CoreContext } from "./core-context.ts"

/**
 * Maximum jump of an epoch. Even a member that floods with ever higher ones cannot use up 2^53 of them within the 30
 * days that a conference may last.
 */
export const EPOCH_JUMP_MAX = 2 ** 16

/** `delay`: judge it again later. `unadmitted`: refused, since one of its members may not be in a view. */
export type Verdict = "accept" | "delay" | "refuse" | "unadmitted"

/** `promised`: the highest proposal accepted so far. */
export function judgeProposal(propose: Propose, promised: ProposalId, context: CoreContext): Verdict {
  const { proposal, members } = propose
  const { config, neighbours, view } = context
  const self = members[indexOfMember(members, config.self.id)]
  const ascending = members.every((member, i) => i === 0 || members[i - 1]!.id < member.id)
  if (!ascending || members[0]?.id !== proposal.coordinator) return "refuse"
  if (self?.incarnation !== config.self.incarnation || proposal.epoch <= view.epoch) return "refuse"
  if (compareProposals(proposal, promised) <= 0) return "refuse"
  if (proposal.epoch > Math.max(promised.epoch, context.epochSeen) + EPOCH_JUMP_MAX) return "refuse"
  if (config.roster && members.some(({ id }) => !config.roster!.includes(id))) return "refuse"
  const others = members.filter((member) => member.id !== config.self.id)
  const isKnown = ({ id, incarnation }: MemberInstance) => neighbours.incarnationOf(id) === incarnation
  const upToDate =
    others.every(isKnown) && (proposal.coordinator === config.self.id || neighbours.isUp(proposal.coordinator))
  if (!upToDate && isEarly(others, context)) return "delay"
  // A link ends with the removal of its member, so a removed member is also unknown here.
  if (unadmittedOf(members, context)) return "unadmitted"
  return upToDate ? judgeLeftBehind(propose, context) : "refuse"
}

/**
 * A proposal may arrive before the own link to a newcomer is up (liveness/early-links.ts). Over the overlay it may also
 * arrive before the news of any member. A member that was not heard of yet cannot have been judged.
 */
function isEarly(others: readonly MemberInstance[], { neighbours, view }: CoreContext): boolean {
  const isNewcomer = ({ id }: MemberInstance) =>
    neighbours.incarnationOf(id) === undefined && indexOfMember(view.members, id) < 0
  return neighbours.overOverlay || others.some(isNewcomer)
}

/** Judges by the reachable members of the view that the proposal leaves out. */
function judgeLeftBehind({ proposal, members }: Propose, { neighbours, view }: CoreContext): Verdict {
  const set = new Set(members.map((member) => member.id))
  const leftBehind = neighbours.up().filter((peer) => !set.has(peer) && indexOfMember(view.members, peer) >= 0)
  const strange = indexOfMember(view.members, proposal.coordinator) < 0
  if (strange && leftBehind.length > 0) return "refuse"
  // A member that does not hold the coordinator up cannot be in its view, whatever it is to this member.
  const awaited = leftBehind.filter((peer) => neighbours.holdsUp(peer, proposal.coordinator))
  return awaited.some((peer) => peer < proposal.coordinator) ? "delay" : "accept"
}

/** Returns a member that may not be in a view; null if there is none. */
export function unadmittedOf(members: readonly MemberInstance[], { config }: CoreContext): MemberId | null {
  return members.find(({ id }) => id !== config.self.id && config.policy?.isInside?.(id) === false)?.id ?? null
}
