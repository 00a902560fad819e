import type { Channel, ChannelMessage, ConferenceHandle, ErrorCode } from "@keymoot/core"
import { KeymootError } from "@keymoot/core"
import type { Readable, Store } from "../store.ts"
import { store } from "../store.ts"
import { keepUnsent } from "./unsent.ts"

/**
 * A message of mine that has not been delivered yet; `failed` says why it never will be. interrupted: the page was closed
 * before it was known to have arrived.
 */
export type Pending = {
  readonly key: number
  readonly text: string
  readonly failed: ErrorCode | "interrupted" | null
}

/** Messages waiting to be sent; further ones are refused in the composer. */
const PENDING_MAX = 100

export type Sending = {
  /** What stands in the composer: it outlives the panel. */
  readonly draft: Store<string>
  readonly pending: Readable<readonly Pending[]>
  /** False if too many messages are waiting; the text then stays with the caller. */
  send(text: string): boolean
  retry(key: number): void
  discard(key: number): void
}

/** My messages until they have arrived. */
export function openSending(
  handle: ConferenceHandle,
  chat: Channel,
  received: (message: ChannelMessage) => void,
  signal: AbortSignal,
): Sending {
  const draft = store("")
  const pending = store<readonly Pending[]>([])
  let nextKey = 1

  void keepUnsent(handle.note("unsent"), draft, pending, signal, (text) => {
    pending.set([...pending.get(), { key: nextKey++, text, failed: "interrupted" }])
  })

  function replace(key: number, next: Pending | null): void {
    pending.set(pending.get().flatMap((item) => (item.key !== key ? [item] : next === null ? [] : [next])))
  }

  async function deliver(item: Pending): Promise<void> {
    try {
      received(await chat.send(item.text, { service: "agreed" }))
      replace(item.key, null)
    } catch (error) {
      if (signal.aborted) return
      replace(item.key, { ...item, failed: error instanceof KeymootError ? error.code : "internal" })
    }
  }

  return {
    draft,
    pending,
    send(text) {
      if (pending.get().length >= PENDING_MAX) return false
      const item: Pending = { key: nextKey++, text, failed: null }
      pending.set([...pending.get(), item])
      void deliver(item)
      return true
    },
    retry(key) {
      const item = pending.get().find((candidate) => candidate.key === key)
      if (!item || item.failed === null) return
      const again = { ...item, failed: null }
      replace(key, again)
      void deliver(again)
    },
    discard: (key) => replace(key, null),
  }
}
