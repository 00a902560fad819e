import type { MediaParticipant } from "@keymoot/core"
import type { SessionCall } from "../../session/call.ts"
import { type Readable, store } from "../../store.ts"

/** Time after the end of a screen in which the next one of its member is not shown large by itself. */
export const SCREEN_BACK_MS = 5_000

type MemberId = MediaParticipant["member"]["id"]
/** A track that can be shown large. */
export type Staged = { readonly member: MemberId; readonly purpose: "camera" | "screen" }

export type CallStage = {
  /** The track that is shown large; null for none. */
  readonly stage: Readable<Staged | null>
  /** The person has pressed a tile. The one on the stage leaves it, and any other enters it. */
  toggleStage(tile: Staged): void
}

export function isSameStaged(one: Staged | null, other: Staged | null): boolean {
  return one?.member === other?.member && one?.purpose === other?.purpose
}

/**
 * Shows a screen large by itself, unless the person has made one of its member small in this call. Otherwise a member
 * could take the stage again by ending its screen, or by entering the call again.
 */
export function openStage(
  { state, participants }: Pick<SessionCall, "state" | "participants">,
  now: () => number,
): CallStage {
  const stage = store<Staged | null>(null)
  let pinned: Staged | null = null
  const small = new Set<MemberId>()
  let sharing: readonly MemberId[] = []
  /** When a member's next screen may be shown large, the earliest first. */
  const backAtMs = new Map<MemberId, number>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function forget(): void {
    pinned = null
    small.clear()
    sharing = []
    backAtMs.clear()
  }

  function look(): void {
    const former = sharing
    sharing = participants
      .get()
      .filter(({ published }) => published.has("screen"))
      .map(({ member }) => member.id)
    for (const [member, atMs] of backAtMs) if (atMs <= now()) backAtMs.delete(member)
    for (const member of former.filter((each) => !sharing.includes(each))) {
      backAtMs.delete(member)
      backAtMs.set(member, now() + SCREEN_BACK_MS)
    }
    if (pinned && !isThere(pinned)) pinned = null
  }

  /** A pinned person stays on the stage while its camera is off. */
  function isThere({ member, purpose }: Staged): boolean {
    return purpose === "screen"
      ? sharing.includes(member)
      : participants.get().some((each) => each.member.id === member)
  }

  function update(): void {
    clearTimeout(timer)
    if (state.get() === "in") look()
    else forget()
    const member = sharing.find((each) => !small.has(each) && !backAtMs.has(each))
    const next = pinned ?? (member === undefined ? null : ({ member, purpose: "screen" } as const))
    if (!isSameStaged(next, stage.get())) stage.set(next)
    const [firstAtMs] = backAtMs.values()
    if (firstAtMs !== undefined) timer = setTimeout(update, firstAtMs - now())
  }

  for (const source of [state, participants]) source.subscribe(update)
  return {
    stage,
    toggleStage(tile) {
      const isOnStage = isSameStaged(tile, stage.get())
      pinned = isOnStage ? null : tile
      if (tile.purpose === "screen" && isOnStage) small.add(tile.member)
      else if (tile.purpose === "screen") small.delete(tile.member)
      update()
    },
  }
}
