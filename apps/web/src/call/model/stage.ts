import type { MediaParticipant } from "@keymoot/core"

/** A track that can be shown large. */
export type Staged = { readonly member: MediaParticipant["member"]["id"]; readonly purpose: "camera" | "screen" }

/** The person's choices. A screen that nobody has made small is shown large by itself. */
export type StageChoice = { readonly pinned: Staged | null; readonly small: readonly Staged[] }

export const NO_CHOICE: StageChoice = { pinned: null, small: [] }

export function isSameStaged(one: Staged | null, other: Staged | null): boolean {
  return one?.member === other?.member && one?.purpose === other?.purpose
}

/** The track on the stage; null for none. A pinned person stays there while its camera is off. */
export function stageOf(participants: readonly MediaParticipant[], { pinned, small }: StageChoice): Staged | null {
  if (pinned && isThere(participants, pinned)) return pinned
  const screens = participants
    .filter(({ published }) => published.has("screen"))
    .map(({ member }): Staged => ({ member: member.id, purpose: "screen" }))
  return screens.find((screen) => !small.some((each) => isSameStaged(each, screen))) ?? null
}

/** The choice after the person has pressed a tile: what is on the stage leaves it, and everything else enters it. */
export function toggled(choice: StageChoice, tile: Staged, onStage: Staged | null): StageChoice {
  const others = choice.small.filter((each) => !isSameStaged(each, tile))
  if (!isSameStaged(tile, onStage)) return { pinned: tile, small: others }
  return { pinned: null, small: tile.purpose === "screen" ? [...others, tile] : others }
}

/** Without choices about screens that have ended: the next one is shown large again. */
export function withoutEnded(choice: StageChoice, participants: readonly MediaParticipant[]): StageChoice {
  const small = choice.small.filter((each) => isThere(participants, each))
  const pinned = choice.pinned && isThere(participants, choice.pinned) ? choice.pinned : null
  return small.length === choice.small.length && pinned === choice.pinned ? choice : { pinned, small }
}

function isThere(participants: readonly MediaParticipant[], { member, purpose }: Staged): boolean {
  const found = participants.find((each) => each.member.id === member)
  return found !== undefined && (purpose === "camera" || found.published.has("screen"))
}
