import type { ConferenceHandle } from "@keymoot/core"
import type { Readable } from "../store.ts"
import { store } from "../store.ts"
import { insertEntry, withoutTexts } from "./order.ts"
import type { Entry } from "./order.ts"

export type Conversation = {
  readonly transcript: Readable<readonly Entry[]>
  readonly unread: Readable<number>
  add(entry: Entry): void
  find(message: string): Entry | undefined
  /** Their authors have taken these messages back. */
  erased(messages: readonly string[]): void
  /** Whether the person has the chat before their eyes: what arrives then is read. */
  setChatVisible(visible: boolean): void
}

/** What was said and shared, in the one order of all members, and how much of it the person has not seen. */
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
    unread,
    add(entry) {
      const before = transcript.get()
      transcript.set(insertEntry(before, entry))
      if (entry.kind === "notice" || transcript.get() === before || entry.message.from.self || chatVisible) return
      // What was said before this person came is no news; what was said while they were cut off is.
      if (!entry.message.handedOver || entry.message.position.epoch > cameInEpoch) unread.set(unread.get() + 1)
    },
    find: (message) => transcript.get().find(({ id }) => id === message),
    erased: (messages) => transcript.set(withoutTexts(transcript.get(), new Set(messages))),
    setChatVisible(visible) {
      chatVisible = visible
      if (visible) unread.set(0)
    },
  }
}
