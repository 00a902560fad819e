import type { ConferenceView, Member } from "@keymoot/core"
import { MEMBER_COLOURS } from "../conference/colours.ts"

/** By index into `MEMBER_COLOURS`; former members keep one for their messages. */
export type Colours = ReadonlyMap<Member["id"], number>

/** With more members than this, former members are forgotten. */
export const COLOURS_MAX = 1000

export function colourOf(colours: Colours, id: Member["id"]): number {
  return colours.get(id) ?? preferredBy(id)
}

/**
 * Gives every member its own colour, as long as there are enough. Members that stay keep theirs. A newcomer takes the
 * one that its id prefers, or the next free one. On a newcomer's screen the others are assigned first, as on their own
 * screens. So nearly all screens agree.
 */
export function assignColours(
  before: Colours,
  previous: readonly Member[],
  { status, members }: Pick<ConferenceView, "status" | "members">,
): Colours {
  // Alone and looking for the others: they have colours already.
  if (status === "joining") return before
  const present = new Set(members.map(({ id }) => id))
  const after = new Map(before.size > COLOURS_MAX ? [...before].filter(([id]) => present.has(id)) : before)
  const staying = new Set(previous.map(({ id }) => id).filter((id) => before.has(id)))
  const uses = MEMBER_COLOURS.map(() => 0)
  const rank = ({ id, self }: Member) => (staying.has(id) ? 0 : self ? 2 : 1)
  for (const member of members.toSorted((a, b) => rank(a) - rank(b))) {
    const wanted = colourOf(before, member.id)
    const colour = staying.has(member.id) ? wanted : nextFree(uses, wanted)
    uses[colour]!++
    after.set(member.id, colour)
  }
  const changed = after.size !== before.size || members.some(({ id }) => after.get(id) !== before.get(id))
  return changed ? after : before
}

/** The least used colour; among equals the first from `wanted` on. */
function nextFree(uses: readonly number[], wanted: number): number {
  const order = uses.map((_, step) => (wanted + step) % uses.length)
  return order.reduce((best, colour) => (uses[colour]! < uses[best]! ? colour : best))
}

function preferredBy(id: Member["id"]): number {
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (hash * 31 + id.charCodeAt(i)) >>> 0
  return hash % MEMBER_COLOURS.length
}
