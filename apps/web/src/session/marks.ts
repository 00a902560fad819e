import type { ChannelMessage, Member } from "@keymoot/core"
import { comparePositions } from "./order.ts"

/**
 * What is said about messages after they have been sent: changed texts, deletions, reactions. Marks travel on a channel
 * of their own, in the same order and with the same signatures as what they are about.
 */
export const MARKS_CHANNEL = "chat-marks"
/** A closed list: whatever else a peer sends is no reaction, so none can be long, rude or unreadable. */
export const REACTIONS = ["👍", "❤️", "😂", "🎉", "😮", "😢", "🙏", "👀"] as const
export type Reaction = (typeof REACTIONS)[number]

export type Mark =
  | { readonly type: "edit"; readonly of: string; readonly text: string }
  | { readonly type: "delete"; readonly of: string }
  | { readonly type: "reaction"; readonly of: string; readonly emoji: Reaction; readonly on: boolean }

/** Characters, of a message as of a change to one. */
export const MESSAGE_LENGTH_MAX = 10_000
const MESSAGE_ID_LENGTH_MAX = 200
/** Messages that are remembered to be marked; those marked first are forgotten first. */
export const MARKED_MESSAGES_MAX = 2000
/** People whose marks of one message are kept; a conference has fewer. */
const MARKERS_MAX = 300

type Position = ChannelMessage["position"]
/** null: deleted. */
type Revision = { readonly position: Position; readonly text: string | null }
type Reacted = { readonly position: Position; readonly member: Member; readonly on: boolean }
/** Whoever signed them: only the author's count, and who that is, the message itself says. */
export type MessageMarks = {
  readonly revisions: ReadonlyMap<Member["id"], Revision>
  readonly reactions: ReadonlyMap<Reaction, ReadonlyMap<Member["id"], Reacted>>
}
/** By message. Marks may come before what they are about, where history is handed over. */
export type Marks = ReadonlyMap<string, MessageMarks>

const UNMARKED: MessageMarks = { revisions: new Map(), reactions: new Map() }

export function encodeMark(mark: Mark): string {
  return JSON.stringify(mark)
}

/** null for whatever a peer sends that is none. */
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
 * The marks with one more; the same map if it changes nothing. The later in the order of all members wins, and a
 * deletion over every change: so the outcome is the same on every screen, however the marks came.
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
  const [oldest] = next.keys()
  if (next.size > MARKED_MESSAGES_MAX && oldest !== undefined) next.delete(oldest)
  return next
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

/** The text as its author left it; null: the author deleted it. */
export function textOf(message: ChannelMessage, marks: MessageMarks | undefined): string | null {
  const revision = marks?.revisions.get(message.from.id)
  return revision === undefined ? message.text : revision.text
}

export function isEdited(message: ChannelMessage, marks: MessageMarks | undefined): boolean {
  return typeof marks?.revisions.get(message.from.id)?.text === "string"
}

/** Who reacted how, in the order of the list; without those that nobody holds up any more. */
export function reactionsOf(
  marks: MessageMarks | undefined,
): readonly { readonly emoji: Reaction; readonly people: readonly Member[] }[] {
  if (marks === undefined) return []
  return REACTIONS.map((emoji) => ({
    emoji,
    people: [...(marks.reactions.get(emoji)?.values() ?? [])].filter(({ on }) => on).map(({ member }) => member),
  })).filter(({ people }) => people.length > 0)
}
