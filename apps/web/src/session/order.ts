import type { ChannelMessage, Member, SharedFile } from "@keymoot/core"

/** `lost`: of those who left, who did so without a goodbye; they may come back, and are then `returned` instead of `joined`. */
export type Comings = {
  readonly joined: readonly Member[]
  readonly returned: readonly Member[]
  readonly left: readonly Member[]
  readonly lost: readonly Member[]
  /** Of those who left, whom a host removed. */
  readonly removed: readonly Member[]
}

/** A quiet line between messages: who came and who went with this view. */
export type Notice = {
  readonly kind: "notice"
  readonly id: string
  readonly position: ChannelMessage["position"]
} & Comings
export type Entry =
  | { readonly kind: "message"; readonly id: string; readonly message: ChannelMessage }
  /** `message` holds the file's ticket. */
  | { readonly kind: "file"; readonly id: string; readonly message: ChannelMessage; readonly file: SharedFile }
  | Notice

/** Older entries leave the page; a person who needs all of it exports the chat. */
export const TRANSCRIPT_ENTRIES_MAX = 2000

function positionOf(entry: Entry): ChannelMessage["position"] {
  return entry.kind === "notice" ? entry.position : entry.message.position
}

/**
 * The one order of all members: epoch, then view (two parts of a divided conference may share an epoch), then sequence. A
 * notice, which is of this screen only, comes before all messages of its epoch: that somebody was lost, before what was said apart.
 */
export function comparePositions(a: ChannelMessage["position"], b: ChannelMessage["position"]): number {
  if (a.epoch !== b.epoch) return a.epoch - b.epoch
  const isNotice = (position: typeof a): number => Number(position.sequence < 0)
  if (isNotice(a) !== isNotice(b)) return isNotice(b) - isNotice(a)
  if (a.view !== b.view) return a.view < b.view ? -1 : 1
  return a.sequence - b.sequence
}

/**
 * The transcript with `entry` in its place; the same array if it is there already or too old for the bound.
 * Entries almost always arrive in order, so the search starts at the end.
 */
export function insertEntry(transcript: readonly Entry[], entry: Entry): readonly Entry[] {
  const position = positionOf(entry)
  let at = transcript.length
  while (at > 0) {
    const before = transcript[at - 1]
    if (before === undefined || comparePositions(positionOf(before), position) <= 0) break
    at--
  }
  // Equal positions stand side by side, so a message that came twice is found right here.
  for (let i = at - 1; i >= 0; i--) {
    const same = transcript[i]
    if (same === undefined || comparePositions(positionOf(same), position) !== 0) break
    if (same.id === entry.id) return transcript
  }
  if (at === 0 && transcript.length >= TRANSCRIPT_ENTRIES_MAX) return transcript
  const next = [...transcript.slice(0, at), entry, ...transcript.slice(at)]
  return next.length > TRANSCRIPT_ENTRIES_MAX ? next.slice(next.length - TRANSCRIPT_ENTRIES_MAX) : next
}

/** The transcript without what these messages said or shared; their places stay. The same array if none of them is in it. */
export function withoutTexts(transcript: readonly Entry[], ids: ReadonlySet<string>): readonly Entry[] {
  if (!transcript.some(({ id }) => ids.has(id))) return transcript
  return transcript.map((entry) =>
    entry.kind !== "notice" && ids.has(entry.id)
      ? { kind: "message", id: entry.id, message: { ...entry.message, text: "", data: new Uint8Array() } }
      : entry,
  )
}
