import type { ConferenceHandle, Member } from "@keymoot/core"
import { type Readable, store } from "../../store.ts"
import { MESSAGE_ID_LENGTH_MAX, type Reaction, REACTIONS } from "../marks.ts"
import { peopleIn } from "../presence.ts"

/** The field of the awareness state of the board's document. */
const FIELD = "reactions"
/** Messages that one viewer reacts to at a time; the first ones are forgotten. */
export const VIEWER_REACTIONS_MAX = 50

type Given = ReadonlyMap<string, readonly Reaction[]>
/** By message. */
export type ViewerReactions = ReadonlyMap<string, readonly { readonly emoji: Reaction; readonly member: Member }[]>

export type Watching = {
  /** The reactions of present viewers. Members ignore messages from a viewer, so these last while the viewer is here. */
  readonly viewerReactions: Readable<ViewerReactions>
  reactAsViewer(of: string, emoji: Reaction, on: boolean): void
}

/** Reactions of viewers, who may send no marks: they are part of their presence, which is never stored. */
export function openViewerReactions(handle: ConferenceHandle, signal: AbortSignal): Watching {
  const board = handle.document("board")
  const { awareness } = board
  const viewerReactions = store<ViewerReactions>(new Map())
  let mine: Given = new Map()
  let gathered = ""

  function gather(): void {
    const viewers = peopleIn(board).filter(({ member }) => member.role === "viewer")
    const all = viewers.map(({ member, state }) => ({ member, given: readGiven(state[FIELD]) }))
    // Pointers change the same states, many times a second.
    const now = JSON.stringify(all.map(({ member, given }) => [member.id, [...given]]))
    if (now === gathered) return
    gathered = now
    const next = new Map<string, { readonly emoji: Reaction; readonly member: Member }[]>()
    for (const { member, given } of all)
      for (const [of, emojis] of given)
        next.set(of, [...(next.get(of) ?? []), ...emojis.map((emoji) => ({ emoji, member }))])
    viewerReactions.set(next)
  }

  awareness.on("change", gather)
  signal.addEventListener("abort", () => awareness.off("change", gather))
  return {
    viewerReactions,
    reactAsViewer(of, emoji, on) {
      const others = (mine.get(of) ?? []).filter((one) => one !== emoji)
      const next = new Map(mine)
      next.delete(of)
      if (on || others.length > 0) next.set(of, on ? [...others, emoji] : others)
      mine = new Map([...next].slice(-VIEWER_REACTIONS_MAX))
      awareness.setLocalStateField(FIELD, Object.fromEntries(mine))
      gather()
    },
  }
}

/** The valid part of a peer's reactions. */
export function readGiven(value: unknown): Given {
  if (typeof value !== "object" || value === null) return new Map()
  const given = new Map<string, readonly Reaction[]>()
  for (const of of Object.keys(value).slice(0, VIEWER_REACTIONS_MAX)) {
    const emojis: unknown = (value as Record<string, unknown>)[of]
    if (of.length <= MESSAGE_ID_LENGTH_MAX && Array.isArray(emojis))
      given.set(
        of,
        REACTIONS.filter((known) => emojis.slice(0, REACTIONS.length).includes(known)),
      )
  }
  return given
}
