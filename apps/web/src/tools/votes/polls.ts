import type { ChannelMessage, Member } from "@keymoot/core"
import { comparePositions } from "../../session/order.ts"

/** Votes have a channel with a history of their own: its messages are signed by their authors, so nobody votes for another. */
export const POLLS_CHANNEL = "polls"
export const QUESTION_LENGTH_MAX = 200
export const OPTION_LENGTH_MAX = 100
export const OPTIONS_MIN = 2
export const OPTIONS_MAX = 10
/** Polls that a page keeps. Beyond it the oldest of the person who has most is forgotten. */
export const POLLS_MAX = 100
/** People whose vote in one poll is kept; a conference has fewer. */
export const VOTERS_MAX = 300
/** Members whose word that one poll is closed is kept. */
const CLOSERS_MAX = 20
const POLL_ID_LENGTH_MAX = 200

export type PollDraft = {
  readonly question: string
  readonly options: readonly string[]
  /** Each person may choose several options. */
  readonly several: boolean
  /** Pages show no results before the poll is closed. */
  readonly hidden: boolean
}
export type PollMessage =
  | ({ readonly type: "poll" } & PollDraft)
  | {
      readonly type: "vote"
      readonly of: string
      /** Indices of the chosen options, ascending; none withdraws the vote. */
      readonly chosen: readonly number[]
      /** Incremented by the voter with each vote. It is signed, unlike the position. */
      readonly turn: number
    }
  | { readonly type: "close"; readonly of: string }

type Position = ChannelMessage["position"]
type Arrived = Pick<ChannelMessage, "id" | "from" | "position" | "transferred">
export type Vote = {
  readonly member: Member
  readonly chosen: readonly number[]
  readonly turn: number
  readonly position: Position
  /** False for a vote that another member transferred, whose author this member can't know. It may be made up. */
  readonly known: boolean
}
/** A member may transfer a message before its delivery, with an earlier position. The delivery replaces it. */
type Placed = { readonly position: Position; readonly isTransferred: boolean }
/** The messages about one poll. In a history transfer a vote may arrive before its poll, which is null until then. */
type Gathered = {
  readonly poll: (PollDraft & Placed & { readonly from: Member }) | null
  /** By person: see `personOf`. */
  readonly votes: ReadonlyMap<string, Vote>
  readonly closes: ReadonlyMap<string, Placed & { readonly id: string; readonly byHost: boolean }>
}
/** By the id of the message that opened the poll. */
export type Polls = ReadonlyMap<string, Gathered>

/** A person keeps the key under another name, and has one vote. */
export function personOf({ publicKey, id }: Pick<Member, "publicKey" | "id">): string {
  return publicKey ?? id
}

const NOTHING: Gathered = { poll: null, votes: new Map(), closes: new Map() }

/** Returns null for an invalid message of a peer. */
export function decodePollMessage(text: string): PollMessage | null {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === "object" && value !== null ? readMessage(value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function readMessage(value: Record<string, unknown>): PollMessage | null {
  if (value["type"] === "poll") return readPoll(value)
  const { type, of, chosen, turn } = value
  if (typeof of !== "string" || of.length > POLL_ID_LENGTH_MAX) return null
  if (type === "close") return { type, of }
  return type === "vote" && isChoice(chosen) && Number.isSafeInteger(turn) && (turn as number) >= 0
    ? { type, of, chosen, turn: turn as number }
    : null
}

function readPoll({ question, options, several, hidden }: Record<string, unknown>): PollMessage | null {
  if (!isText(question, QUESTION_LENGTH_MAX) || typeof several !== "boolean" || typeof hidden !== "boolean") return null
  if (!Array.isArray(options) || options.length < OPTIONS_MIN || options.length > OPTIONS_MAX) return null
  const isFit = options.every((option) => isText(option, OPTION_LENGTH_MAX)) && new Set(options).size === options.length
  return isFit ? { type: "poll", question, options: options as string[], several, hidden } : null
}

function isText(value: unknown, lengthMax: number): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= lengthMax
}

function isChoice(value: unknown): value is readonly number[] {
  return (
    Array.isArray(value) &&
    value.length <= OPTIONS_MAX &&
    value.every(
      (one, at) => Number.isInteger(one) && one >= 0 && one < OPTIONS_MAX && (at === 0 || value[at - 1] < one),
    )
  )
}

/** The polls with one more message; the same map if nothing changes. The result does not depend on the order of arrival. */
export function addPollMessage(polls: Polls, message: PollMessage, arrived: Arrived): Polls {
  const id = message.type === "poll" ? arrived.id : message.of
  const before = polls.get(id) ?? NOTHING
  const after = gather(before, message, arrived)
  return after === before ? polls : withinBound(new Map(polls).set(id, after))
}

function gather(before: Gathered, message: PollMessage, { id, from, position, transferred }: Arrived): Gathered {
  const person = personOf(from)
  const isTransferred = transferred !== null
  switch (message.type) {
    case "poll":
      if (before.poll !== null && (isTransferred || !before.poll.isTransferred)) return before
      return {
        ...before,
        poll: { ...message, from, position, isTransferred },
        closes: new Map([...before.closes].filter(([closer, { byHost }]) => byHost || closer === person)),
      }
    case "vote": {
      const last = before.votes.get(person)
      if (last === undefined ? before.votes.size >= VOTERS_MAX : !isLater(message.turn, position, last)) return before
      const known = transferred === null || transferred.authorKnown
      const vote = { member: from, chosen: message.chosen, turn: message.turn, position, known }
      return { ...before, votes: new Map(before.votes).set(person, vote) }
    }
    case "close": {
      const byHost = from.role === "host"
      // Others could fill the places of those whose word counts.
      if (!byHost && before.poll !== null && person !== personOf(before.poll.from)) return before
      const last = before.closes.get(person)
      const isOld = last && (isTransferred || !last.isTransferred || last.id !== id)
      if (isOld ?? before.closes.size >= CLOSERS_MAX) return before
      return { ...before, closes: new Map(before.closes).set(person, { id, position, byHost, isTransferred }) }
    }
  }
}

/** A member that transfers the history can lie about positions, but not about turns. */
function isLater(turn: number, position: Position, last: Vote): boolean {
  return turn !== last.turn ? turn > last.turn : comparePositions(position, last.position) > 0
}

function withinBound(polls: Map<string, Gathered>): Polls {
  while (polls.size > POLLS_MAX) {
    const counts = new Map<string, number>()
    // Votes for polls that are not here count as one person's.
    const holder = ({ poll }: Gathered): string => (poll === null ? "" : personOf(poll.from))
    for (const one of polls.values()) counts.set(holder(one), (counts.get(holder(one)) ?? 0) + 1)
    const most = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one))[0]
    for (const [id, one] of polls)
      if (holder(one) === most) {
        polls.delete(id)
        break
      }
  }
  return polls
}

export type Poll = PollDraft & {
  readonly id: string
  readonly from: Member
  /** This person opened it, perhaps under another name. */
  readonly own: boolean
  readonly closed: boolean
  /** By option. */
  readonly voters: readonly (readonly Member[])[]
  /** All people with a valid vote. */
  readonly voted: readonly Member[]
  /** How many of these votes may be made up. */
  readonly unknown: number
  /** The indices that this member chose. */
  readonly mine: readonly number[]
}

/** The polls to show, the newest first. Closing counts from the author or a host; later votes do not count. */
export function shownPolls(polls: Polls, me: string): readonly Poll[] {
  return [...polls]
    .flatMap(([id, { poll, ...rest }]) => (poll === null ? [] : [{ id, poll, ...rest }]))
    .toSorted((one, other) => comparePositions(other.poll.position, one.poll.position) || (one.id < other.id ? 1 : -1))
    .map(({ id, poll, votes, closes }) => {
      const { question, options, several, hidden, from } = poll
      const ends = [...closes]
        .filter(([person, { byHost }]) => byHost || person === personOf(from))
        .map(([, end]) => end.position)
      const end = ends.toSorted(comparePositions)[0]
      const isValid = ({ chosen, position }: Vote): boolean =>
        chosen.length > 0 &&
        (several || chosen.length === 1) &&
        chosen.every((one) => one < options.length) &&
        (end === undefined || comparePositions(position, end) < 0)
      const valid = [...votes.values()].filter(isValid)
      return {
        id,
        question,
        options,
        several,
        hidden,
        from,
        own: personOf(from) === me,
        closed: end !== undefined,
        voters: options.map((_, at) => valid.filter(({ chosen }) => chosen.includes(at)).map(({ member }) => member)),
        voted: valid.map(({ member }) => member),
        unknown: valid.filter(({ known }) => !known).length,
        mine: valid.find(({ member }) => personOf(member) === me)?.chosen ?? [],
      }
    })
}
