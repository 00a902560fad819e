import type { ChannelMessage, Member, SharedFile } from "@keymoot/core"
import type { Renamed } from "./room/formerNames.ts"

/**
 * `lost`: departed members that were disconnected without a goodbye. They may return, and are then `returned`, not
 * `joined`.
 */
export type Comings = {
  readonly joined: readonly Member[]
  readonly returned: readonly Member[]
  readonly left: readonly Member[]
  readonly lost: readonly Member[]
  /** Departed members that a host removed. */
  readonly removed: readonly Member[]
  /** Members, this one included, whose role a host has changed; with the new role. */
  readonly roles?: readonly Member[]
  /** Members that were here under another name. */
  readonly renamed?: readonly Renamed[]
}

/** A quiet line between messages: the arrivals and departures of this view, or changed roles. */
export type Notice = {
  readonly kind: "notice"
  readonly id: string
  /** When this screen told it, by this device's clock. */
  readonly atMs: number
  readonly position: ChannelMessage["position"]
} & Comings
export type Entry =
  | {
      readonly kind: "message"
      readonly id: string
      readonly message: ChannelMessage
      /** The id of the message that this one answers. */
      readonly replyTo?: string
    }
  /** `message` holds the file's ticket. */
  | { readonly kind: "file"; readonly id: string; readonly message: ChannelMessage; readonly file: SharedFile }
  | Notice

/**
 * Beyond either bound, the oldest entry of the member with the most is evicted: a flood evicts itself, and not the
 * messages of others. The chat and its export then say that messages are missing.
 */
export const TRANSCRIPT_ENTRIES_MAX = 2000
export const TRANSCRIPT_CHARACTERS_MAX = 2_000_000

function positionOf(entry: Entry): ChannelMessage["position"] {
  return entry.kind === "notice" ? entry.position : entry.message.position
}

/**
 * The one order of all members: epoch, then view (two parts of a partition may share an epoch), then sequence. A
 * notice, which exists on this screen only, precedes all messages of its epoch. So the loss of a member precedes the
 * messages of the separation.
 */
export function comparePositions(a: ChannelMessage["position"], b: ChannelMessage["position"]): number {
  if (a.epoch !== b.epoch) return a.epoch - b.epoch
  const isNotice = (position: typeof a): number => Number(position.sequence < 0)
  if (isNotice(a) !== isNotice(b)) return isNotice(b) - isNotice(a)
  if (a.view !== b.view) return a.view < b.view ? -1 : 1
  return a.sequence - b.sequence
}

/**
 * The transcript with `entry` in its place; the same array if it is present or too old for the bound. Entries almost
 * always arrive in order, so the search starts at the end.
 */
export function insertEntry(transcript: readonly Entry[], entry: Entry): readonly Entry[] {
  const position = positionOf(entry)
  let at = transcript.length
  while (at > 0) {
    const before = transcript[at - 1]
    if (before === undefined || comparePositions(positionOf(before), position) <= 0) break
    at--
  }
  // Equal positions are adjacent, so a duplicate is found right here.
  for (let i = at - 1; i >= 0; i--) {
    const same = transcript[i]
    if (same === undefined || comparePositions(positionOf(same), position) !== 0) break
    if (same.id === entry.id) return transcript
  }
  if (at === 0 && transcript.length >= TRANSCRIPT_ENTRIES_MAX) return transcript
  return withinBounds([...transcript.slice(0, at), entry, ...transcript.slice(at)])
}

/**
 * The transcript without the entry that a delivered one replaces. `moved` is its message: a member has transferred it
 * before its delivery, with an earlier position.
 */
export function withoutTransferred(
  transcript: readonly Entry[],
  entry: Entry,
): { readonly before: readonly Entry[]; readonly moved: ChannelMessage | null } {
  const same = entry.kind === "notice" || entry.message.transferred ? undefined : findMessage(transcript, entry.id)
  if (!same?.message.transferred) return { before: transcript, moved: null }
  return { before: transcript.filter((kept) => kept !== same), moved: same.message }
}

function findMessage(transcript: readonly Entry[], id: string): Exclude<Entry, Notice> | undefined {
  return transcript.find((kept): kept is Exclude<Entry, Notice> => kept.kind !== "notice" && kept.id === id)
}

/** Whether `insertEntry` evicted a message, or left the new one out as too old. A lost notice is not missed. */
export function hasEvicted(before: readonly Entry[], after: readonly Entry[], entry: Entry): boolean {
  if (after === before) return entry.kind !== "notice" && !before.some(({ id }) => id === entry.id)
  return messagesIn(after) < messagesIn(before) + messagesIn([entry])
}

function messagesIn(entries: readonly Entry[]): number {
  return entries.reduce((count, { kind }) => (kind === "notice" ? count : count + 1), 0)
}

function withinBounds(transcript: readonly Entry[]): readonly Entry[] {
  let kept = transcript
  while (kept.length > TRANSCRIPT_ENTRIES_MAX) kept = withoutOldestOfMost(kept, () => 1)
  while (charactersOf(kept) > TRANSCRIPT_CHARACTERS_MAX) kept = withoutOldestOfMost(kept, sizeOf)
  return kept
}

function withoutOldestOfMost(transcript: readonly Entry[], sizeOf: (entry: Entry) => number): readonly Entry[] {
  const sums = new Map<string, number>()
  for (const entry of transcript) sums.set(holderOf(entry), (sums.get(holderOf(entry)) ?? 0) + sizeOf(entry))
  const most = [...sums].reduce((one, other) => (other[1] > one[1] ? other : one))[0]
  return transcript.toSpliced(
    transcript.findIndex((entry) => holderOf(entry) === most),
    1,
  )
}

function charactersOf(transcript: readonly Entry[]): number {
  return transcript.reduce((sum, entry) => sum + sizeOf(entry), 0)
}

function sizeOf(entry: Entry): number {
  return entry.kind === "notice" ? 0 : entry.message.text.length
}

/** Notices have no author, and count together as one. */
function holderOf(entry: Entry): string {
  return entry.kind === "notice" ? "" : entry.message.from.id
}

/**
 * The transcript without the content of these messages; their places remain. The same array if none of them is in it.
 */
export function withoutTexts(transcript: readonly Entry[], ids: ReadonlySet<string>): readonly Entry[] {
  if (!transcript.some(({ id }) => ids.has(id))) return transcript
  return transcript.map((entry) =>
    entry.kind !== "notice" && ids.has(entry.id)
      ? { kind: "message", id: entry.id, message: { ...entry.message, text: "", data: new Uint8Array() } }
      : entry,
  )
}
