import type { ChannelMessage, Member } from "@keymoot/core"
import { comparePositions } from "./order.ts"

/**
 * Changes of messages after they were sent: edits, deletions, reactions. Marks have a channel of their own, with the
 * same order and signatures as the messages.
 */
export const MARKS_CHANNEL = "chat-marks"
/** A closed list: anything else from a peer is invalid, so no reaction can be long, rude or unreadable. */
export const REACTIONS = ["👍", "❤️", "😂", "🎉", "😮", "😢", "🙏", "👀"] as const
export type Reaction = (typeof REACTIONS)[number]

export type Mark =
  | { readonly type: "edit"; readonly of: string; readonly text: string }
  | { readonly type: "delete"; readonly of: string }
  | { readonly type: "reaction"; readonly of: string; readonly emoji: Reaction; readonly on: boolean }

/** Characters, of a message and of an edit. */
export const MESSAGE_LENGTH_MAX = 10_000
export const MESSAGE_ID_LENGTH_MAX = 200
/** Messages with remembered marks; the first marked are evicted first. */
export const MARKED_MESSAGES_MAX = 2000
/** The total of all edited texts; beyond it those of the messages that were marked first are evicted. */
export const MARKED_CHARACTERS_MAX = 2_000_000
/** Members whose marks of one message are kept; a conference has fewer. */
const MARKERS_MAX = 300

type Position = ChannelMessage["position"]
/** null: deleted. */
type Revision = { readonly position: Position; readonly text: string | null }
type Reacted = { readonly position: Position; readonly member: Member; readonly on: boolean }
/** Marks by any signer: only the author's edits and deletions count, and the message names the author. */
export type MessageMarks = {
  readonly revisions: ReadonlyMap<Member["id"], Revision>
  readonly reactions: ReadonlyMap<Reaction, ReadonlyMap<Member["id"], Reacted>>
}
/** By message. In a history transfer marks may arrive before their messages. */
export type Marks = ReadonlyMap<string, MessageMarks>

const UNMARKED: MessageMarks = { revisions: new Map(), reactions: new Map() }

export function encodeMark(mark: Mark): string {
  return JSON.stringify(mark)
}

/** null for an invalid mark of a peer. */
export function decodeMark(text: string): Mark | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === "object" && value !== null ? readMark(value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function readMark({ type, of, text, emoji, on }: Record<string, unknown>): Mark | null {
  if (typeof of !== "string" || of.length > MESSAGE_ID_LENGTH_MAX) return null
  if (type === "delete") return { type, of }
  if (type === "edit")
    return typeof text === "string" && text.trim() !== "" && text.length <= MESSAGE_LENGTH_MAX
      ? { type, of, text }
      : null
  const reaction = REACTIONS.find((known) => known === emoji)
  return type === "reaction" && reaction !== undefined && typeof on === "boolean"
    ? { type, of, emoji: reaction, on }
    : null
}

/**
 * The marks with one more; the same map if nothing changes. The later one in the order of all members wins, and a
 * deletion wins over every edit. So all screens converge, in whatever order the marks arrive.
 */
export function addMark(
  marks: Marks,
  mark: Mark,
  { from, position }: Pick<ChannelMessage, "from" | "position">,
): Marks {
  const before = marks.get(mark.of) ?? UNMARKED
  const after = mark.type === "reaction" ? react(before, mark, from, position) : revise(before, mark, from, position)
  if (after === before) return marks
  const next = new Map(marks).set(mark.of, after)
  const isFull = (): boolean =>
    next.size > MARKED_MESSAGES_MAX || (mark.type === "edit" && charactersOf(next) > MARKED_CHARACTERS_MAX)
  for (const oldest of next.keys()) {
    if (!isFull()) break
    next.delete(oldest)
  }
  return next
}

function charactersOf(marks: Marks): number {
  let sum = 0
  for (const { revisions } of marks.values()) for (const { text } of revisions.values()) sum += text?.length ?? 0
  return sum
}

function revise(
  before: MessageMarks,
  mark: Extract<Mark, { type: "edit" | "delete" }>,
  from: Member,
  position: Position,
): MessageMarks {
  const known = before.revisions.get(from.id)
  const text = mark.type === "edit" ? mark.text : null
  if (known?.text === null || (known === undefined && before.revisions.size >= MARKERS_MAX)) return before
  if (known !== undefined && text !== null && comparePositions(known.position, position) >= 0) return before
  return { ...before, revisions: new Map(before.revisions).set(from.id, { position, text }) }
}

function react(
  before: MessageMarks,
  { emoji, on }: Extract<Mark, { type: "reaction" }>,
  member: Member,
  position: Position,
): MessageMarks {
  const people = before.reactions.get(emoji)
  const known = people?.get(member.id)
  if (known === undefined && (people?.size ?? 0) >= MARKERS_MAX) return before
  if (known !== undefined && comparePositions(known.position, position) >= 0) return before
  const after = new Map(people).set(member.id, { position, member, on })
  return { ...before, reactions: new Map(before.reactions).set(emoji, after) }
}

/** The text after the author's last edit; null: the author deleted it. */
export function textOf(message: ChannelMessage, marks: MessageMarks | undefined): string | null {
  const revision = marks?.revisions.get(message.from.id)
  return revision === undefined ? message.text : revision.text
}

export function isEdited(message: ChannelMessage, marks: MessageMarks | undefined): boolean {
  return typeof marks?.revisions.get(message.from.id)?.text === "string"
}

/**
 * The reactions with their authors, in the order of the list, without withdrawn ones.
 * @param passing the reactions of viewers, which are no marks
 */
export function reactionsOf(
  marks: MessageMarks | undefined,
  passing: readonly { readonly emoji: Reaction; readonly member: Member }[] = [],
): readonly { readonly emoji: Reaction; readonly people: readonly Member[] }[] {
  if (marks === undefined && passing.length === 0) return []
  return REACTIONS.map((emoji) => ({ emoji, people: peopleOf(emoji, marks, passing) })).filter(
    ({ people }) => people.length > 0,
  )
}

/** Each person once: a viewer may have reacted as an editor before. */
function peopleOf(
  emoji: Reaction,
  marks: MessageMarks | undefined,
  passing: readonly { readonly emoji: Reaction; readonly member: Member }[],
): readonly Member[] {
  const marked = [...(marks?.reactions.get(emoji)?.values() ?? [])].filter(({ on }) => on).map(({ member }) => member)
  const watching = passing.filter((one) => one.emoji === emoji).map(({ member }) => member)
  return [...marked, ...watching.filter(({ id }) => !marked.some((member) => member.id === id))]
}
