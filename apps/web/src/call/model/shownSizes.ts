import type { ConferenceMedia, MediaParticipant, MediaSize } from "@keymoot/core"
import type { Readable } from "../../store.ts"
import { isSameStaged } from "./stage.ts"
import type { Staged } from "./stage.ts"

/** Up to this number of others, all cameras are sent large. */
const FEW = 3

export type ShownSizes = {
  /** Whether a tile is within the visible part of the list. */
  setVisible(tile: Staged, visible: boolean): void
}

/** Tells the others which of their tracks are looked at. In a hidden tab none is. Sound always goes on. */
export function openShownSizes(
  media: ConferenceMedia,
  participants: Readable<readonly MediaParticipant[]>,
  stage: Readable<Staged | null>,
  signal: AbortSignal,
): ShownSizes {
  const unseen = new Set<string>()
  const sizeOf = ({ member, speaking }: MediaParticipant, purpose: Staged["purpose"]): MediaSize => {
    const tile = { member: member.id, purpose }
    if (document.hidden || unseen.has(keyOf(tile))) return "none"
    const isLarge = isSameStaged(stage.get(), tile) || (speaking && participants.get().length > FEW)
    return isLarge ? "large" : "small"
  }
  const update = (): void => {
    for (const participant of participants.get())
      for (const purpose of ["camera", "screen"] as const)
        media.subscribe(participant.member.id, purpose, sizeOf(participant, purpose))
  }
  const stops = [participants.subscribe(update), stage.subscribe(update)]
  signal.addEventListener("abort", () => stops.forEach((stop) => stop()), { once: true })
  document.addEventListener("visibilitychange", update, { signal })
  return {
    setVisible(tile, visible) {
      if (visible) unseen.delete(keyOf(tile))
      else unseen.add(keyOf(tile))
      update()
    },
  }
}

function keyOf({ member, purpose }: Staged): string {
  return `${member} ${purpose}`
}
