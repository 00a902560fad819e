/** Waits for what a conference reports. Also for processes that run outside of the test runner. */
import type { ChannelMessage, ConferenceView } from "../../src/api/index.ts"
import type { Conference } from "../../src/client/conference.ts"

/** Resolves with the first secured view of that many members. */
export function securedWith(conference: Conference, count: number): Promise<ConferenceView> {
  return new Promise((resolve) => {
    const off = conference.on("view", (view) => {
      if (view.members.length !== count) return
      queueMicrotask(() => off())
      resolve(view)
    })
  })
}

/** Resolves when that many messages have come. */
export function received(conference: Conference, channel: string, count: number): Promise<ChannelMessage[]> {
  const messages: ChannelMessage[] = []
  return new Promise((resolve) => {
    conference.channel(channel, { history: true }).on("message", (message) => {
      messages.push(message)
      if (messages.length === count) resolve(messages)
    })
  })
}
