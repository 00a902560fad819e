import type { ChannelMessage, ConferenceHandle } from "@keymoot/core"
import type { Readable } from "../store.ts"
import { calmed, store } from "../store.ts"
import { insertEntry, withoutTexts } from "./order.ts"
import type { Entry } from "./order.ts"

/** The minimum time between redraws of the chat; longer if drawing is slow. */
export const DRAW_CHAT_MS = 200
/** Entries drawn at first, and more with each press: the layout of thousands takes half a second for each new one. */
export const DRAWN_ENTRIES = 200

export type Conversation = {
  /** All entries, at once. */
  readonly transcript: Readable<readonly Entry[]>
  /** The same, for drawing: a flood of messages is reported together. */
  readonly shownTranscript: Readable<readonly Entry[]>
  readonly unread: Readable<number>
  add(entry: Entry): void
  find(message: string): Entry | undefined
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
  const unread = store(0)
  let chatVisible = false
  let cameInEpoch = Infinity

  handle.on(
    "view",
    ({ epoch }) => {
      cameInEpoch = Math.min(cameInEpoch, epoch)
    },
    { signal },
  )

  return {
    transcript,
    shownTranscript: calmed(transcript, DRAW_CHAT_MS),
    unread: calmed(unread, DRAW_CHAT_MS),
    add(entry) {
      const before = transcript.get()
      transcript.set(insertEntry(before, entry))
      if (entry.kind === "notice" || transcript.get() === before || entry.message.from.self || chatVisible) return
      // Messages from before this person joined are not unread. Messages sent while the person was disconnected are.
      if (!entry.message.handedOver || entry.message.position.epoch > cameInEpoch) unread.set(unread.get() + 1)
    },
    latest() {
      const newest = transcript.get().findLast(({ kind }) => kind !== "notice")
      return newest && newest.kind !== "notice" ? newest.message.position : null
    },
    find: (message) => transcript.get().find(({ id }) => id === message),
    erased: (messages) => transcript.set(withoutTexts(transcript.get(), new Set(messages))),
    setChatVisible(visible) {
      chatVisible = visible
      if (visible) unread.set(0)
    },
  }
}
