import type { ChannelMessage, ConferenceHandle, Member } from "@keymoot/core"
import { calmed, type Readable, store } from "../store.ts"
import { type Entry, hasEvicted, insertEntry, withoutTexts, withoutTransferred } from "./order.ts"

/** The minimum time between redraws of the chat; longer if drawing is slow. */
export const DRAW_CHAT_MS = 50
/** Entries drawn at first, and more with each press: the layout of thousands takes half a second for each new one. */
export const DRAWN_ENTRIES = 200

/** Unread mentions that are kept; the oldest are forgotten first. Each is an unread message as well. */
export const MENTIONS_MAX = 20

export type Mention = { readonly id: string; readonly from: Member }

export type Conversation = {
  /** All entries, at once. */
  readonly transcript: Readable<readonly Entry[]>
  /** The same, for drawing: a flood of messages is reported together. */
  readonly shownTranscript: Readable<readonly Entry[]>
  /** Entries beyond the bounds of the transcript are gone. */
  readonly incomplete: Readable<boolean>
  readonly unread: Readable<number>
  /** Unread messages that mention me or answer mine, the newest last; at most `MENTIONS_MAX`. */
  readonly mentions: Readable<readonly Mention[]>
  /** @param mentionsMe a message that mentions me or answers mine */
  add(entry: Entry, mentionsMe?: boolean): void
  find(message: string): Entry | undefined
  /** Whether a member transferred a message that was sent before this person came. */
  isFromBefore(message: ChannelMessage): boolean
  /** The position of the newest message; null if there is none. */
  latest(): ChannelMessage["position"] | null
  /** The authors have deleted these messages. */
  erased(messages: readonly string[]): void
  /** Whether the person sees the chat: messages that arrive then are read. */
  setChatVisible(visible: boolean): void
}

/** All messages and files in the one order of all members, and how many of them are unread. */
export function openConversation(handle: ConferenceHandle, signal: AbortSignal): Conversation {
  const transcript = store<readonly Entry[]>([])
  const incomplete = store(false)
  const unread = store(0)
  const mentions = store<readonly Mention[]>([])
  let chatVisible = false
  let cameInEpoch = Infinity

  handle.on(
    "view",
    ({ epoch }) => {
      cameInEpoch = Math.min(cameInEpoch, epoch)
    },
    { signal },
  )

  /** Messages from before this person joined are not unread. Messages sent while the person was disconnected are. */
  const isFromBefore = ({ transferred, position }: ChannelMessage): boolean =>
    Boolean(transferred) && position.epoch <= cameInEpoch

  return {
    transcript,
    shownTranscript: calmed(transcript, DRAW_CHAT_MS),
    incomplete,
    unread: calmed(unread, DRAW_CHAT_MS),
    mentions,
    add(entry, mentionsMe = false) {
      const { before, moved } = withoutTransferred(transcript.get(), entry)
      const after = insertEntry(before, entry)
      transcript.set(after)
      if (hasEvicted(before, after, entry)) incomplete.set(true)
      if (entry.kind === "notice" || after === before || entry.message.from.self || chatVisible) return
      if (isFromBefore(entry.message) || (moved && !isFromBefore(moved))) return
      // First, so that the notification tells of the mention and not of a message.
      if (mentionsMe) mentions.set([...mentions.get(), { id: entry.id, from: entry.message.from }].slice(-MENTIONS_MAX))
      unread.set(unread.get() + 1)
    },
    latest() {
      const newest = transcript.get().findLast(({ kind }) => kind !== "notice")
      return newest && newest.kind !== "notice" ? newest.message.position : null
    },
    isFromBefore,
    find: (message) => transcript.get().find(({ id }) => id === message),
    erased: (messages) => transcript.set(withoutTexts(transcript.get(), new Set(messages))),
    setChatVisible(visible) {
      chatVisible = visible
      if (!visible) return
      unread.set(0)
      if (mentions.get().length > 0) mentions.set([])
    },
  }
}
