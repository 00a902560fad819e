import type { Channel, ChannelMessage, ConferenceHandle, ErrorCode, Member } from "@keymoot/core"
import { KeymootError } from "@keymoot/core"
import { type Readable, store, type Store } from "../store.ts"
import { MESSAGE_LENGTH_MAX } from "./marks.ts"
import { encodeReply } from "./reply.ts"
import { splitText } from "./splitText.ts"
import { keepUnsent } from "./unsent.ts"

/**
 * My message that has not been delivered yet; `failed` says why it never will be. interrupted: the page was closed
 * before its delivery was known.
 */
export type Pending = {
  readonly key: number
  /** As it is sent: `encodeReply`. */
  readonly text: string
  readonly failed: ErrorCode | "interrupted" | null
  /** The members that the page showed when the message was sent. Nobody else gets it unless the person agrees. */
  readonly readers: readonly Member["id"][]
  /** The time of the first attempt. */
  readonly sinceMs: number
}

/** Messages waiting to be sent; the composer refuses further ones. */
export const PENDING_MAX = 100

export type Sending = {
  /** The text of the composer: it outlives the panel. */
  readonly draft: Store<string>
  /** The message that the next one answers. */
  readonly replyingTo: Store<string | null>
  readonly pending: Readable<readonly Pending[]>
  /**
   * Sends `messagesOf` the text, the first of them as a reply to `to`. False if too many messages are waiting; the caller
   * then keeps the text.
   */
  send(text: string, to?: string | null): boolean
  retry(key: number): void
  discard(key: number): void
}

/** The messages that carry a text: several for one that is longer than a message may be. */
export function messagesOf(text: string): readonly string[] {
  return splitText(text.trim(), MESSAGE_LENGTH_MAX).filter((piece) => piece.trim() !== "")
}

/** My messages until they have been delivered. `shownMembers`: the members that the page shows at the moment. */
export function openSending(
  handle: ConferenceHandle,
  chat: Channel,
  shownMembers: () => readonly Member["id"][],
  received: (message: ChannelMessage) => void,
  signal: AbortSignal,
): Sending {
  const draft = store("")
  const replyingTo = store<string | null>(null)
  const pending = store<readonly Pending[]>([])
  const openedMs = Date.now()
  let nextKey = 1

  const restored = keepUnsent(handle.note("unsent"), { draft, replyingTo }, pending, signal, (message) => {
    pending.set([...pending.get(), { ...message, key: nextKey++, failed: "interrupted", readers: [] }])
  })
  void restored.then(() => {
    if (pending.get().some(({ failed }) => failed === "interrupted")) chat.on("message", settle, { signal })
  })

  /**
   * Drops the interrupted message that the log shows as delivered, so that nobody sends it again. The time tells it from
   * equal texts that were sent before it, or after the reload.
   */
  function settle({ from, text, sentAtMs }: ChannelMessage): void {
    if (!from.self || sentAtMs >= openedMs) return
    const delivered = pending
      .get()
      .find((item) => item.failed === "interrupted" && item.text === text && item.sinceMs <= sentAtMs)
    if (delivered) replace(delivered.key, null)
  }

  function replace(key: number, next: Pending | null): void {
    pending.set(pending.get().flatMap((item) => (item.key !== key ? [item] : next === null ? [] : [next])))
  }

  async function deliver(item: Pending): Promise<void> {
    try {
      received(await chat.send(item.text, { service: "agreed", readers: item.readers }))
      replace(item.key, null)
    } catch (error) {
      if (signal.aborted) return
      replace(item.key, { ...item, failed: error instanceof KeymootError ? error.code : "internal" })
    }
  }

  return {
    draft,
    replyingTo,
    pending,
    send(text, to = null) {
      const texts = messagesOf(text)
      if (pending.get().length + texts.length > PENDING_MAX) return false
      const readers = shownMembers()
      const items = texts.map((piece, index): Pending => {
        const encoded = encodeReply(index === 0 ? to : null, piece)
        return { key: nextKey++, text: encoded, failed: null, readers, sinceMs: Date.now() }
      })
      pending.set([...pending.get(), ...items])
      for (const item of items) void deliver(item)
      return true
    },
    retry(key) {
      const item = pending.get().find((candidate) => candidate.key === key)
      if (!item || item.failed === null) return
      const again = { ...item, failed: null, readers: shownMembers() }
      replace(key, again)
      void deliver(again)
    },
    discard: (key) => replace(key, null),
  }
}
