import type { ConferenceMedia, MediaParticipant, MediaSize } from "@keymoot/core"
import { type Readable, store } from "../../store.ts"
import { isSameStaged, type Staged } from "./stage.ts"

/** Up to this number of others, all cameras are sent large. */
const FEW = 3
/** Up to this number of others, each camera is shown. Above, at most `CAMERAS_MAX` are. */
const ALL_CAMERAS_OTHERS_MAX = 7
export const CAMERAS_MAX = 4

type Cameras = ReadonlySet<MediaParticipant["member"]["id"]>

export type ShownSizes = {
  /** Members whose cameras are shown. */
  readonly cameras: Readable<Cameras>
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
  const cameras = store<Cameras>(new Set())
  const sizeOf = ({ member, speaking }: MediaParticipant, purpose: Staged["purpose"]): MediaSize => {
    const tile = { member: member.id, purpose }
    const isLeftOut = purpose === "camera" && !cameras.get().has(member.id)
    if (document.hidden || unseen.has(keyOf(tile)) || isLeftOut) return "none"
    const isLarge = isSameStaged(stage.get(), tile) || (speaking && participants.get().length > FEW)
    return isLarge ? "large" : "small"
  }
  const update = (): void => {
    const chosen = camerasOf(participants.get(), stage.get(), cameras.get())
    const former = cameras.get()
    if (chosen.size !== former.size || [...chosen].some((id) => !former.has(id))) cameras.set(chosen)
    for (const participant of participants.get())
      for (const purpose of ["camera", "screen"] as const)
        media.subscribe(participant.member.id, purpose, sizeOf(participant, purpose))
  }
  const stops = [participants.subscribe(update), stage.subscribe(update)]
  signal.addEventListener("abort", () => stops.forEach((stop) => stop()), { once: true })
  document.addEventListener("visibilitychange", update, { signal })
  return {
    cameras,
    setVisible(tile, visible) {
      if (visible) unseen.delete(keyOf(tile))
      else unseen.add(keyOf(tile))
      update()
    },
  }
}

/** In a large call: the enlarged person, then people that speak, then those shown before, then the others. */
export function camerasOf(participants: readonly MediaParticipant[], stage: Staged | null, former: Cameras): Cameras {
  const ids = (all: readonly MediaParticipant[]): Cameras => new Set(all.map(({ member }) => member.id))
  if (participants.length <= ALL_CAMERAS_OTHERS_MAX) return ids(participants)
  const rank = ({ member: { id }, speaking }: MediaParticipant): number => {
    if (stage?.purpose === "camera" && stage.member === id) return 0
    return speaking ? 1 : former.has(id) ? 2 : 3
  }
  const sending = participants.filter(({ tracks }) => tracks.has("camera"))
  return ids(sending.toSorted((a, b) => rank(a) - rank(b)).slice(0, CAMERAS_MAX))
}

function keyOf({ member, purpose }: Staged): string {
  return `${member} ${purpose}`
}
