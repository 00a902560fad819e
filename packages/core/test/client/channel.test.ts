import { expect, test } from "vitest"
import type { ChannelMessage } from "../../src/api/index.ts"
import { ConferenceChannel, type ChannelConfig } from "../../src/client/channel.ts"

const message = (id: string, sequence: number): ChannelMessage =>
  ({ id, data: new Uint8Array(1), position: { epoch: 1, view: "v", sequence } }) as ChannelMessage

test("shows no more kept messages to a listener that has called itself off", () => {
  const channel = new ConferenceChannel("chat", {} as ChannelConfig, { history: true })
  for (const sequence of [1, 2, 3]) channel.deliver(message(`${sequence}`, sequence))
  const enough = new AbortController()
  const heard: string[] = []
  const listener = ({ id }: ChannelMessage): void => {
    heard.push(id)
    if (heard.length === 2) enough.abort()
  }
  channel.on("message", listener, { signal: enough.signal })
  expect(heard).toEqual(["1", "2"])
})

test("emits a message again with its place when it is delivered after a transfer", () => {
  const channel = new ConferenceChannel("chat", {} as ChannelConfig, { history: true })
  const heard: [string, number][] = []
  channel.on("message", ({ id, position }) => heard.push([id, position.sequence]))
  channel.deliver({ ...message("moved", 1), transferred: { by: {}, authorKnown: true } } as ChannelMessage)
  channel.deliver(message("other", 2))
  channel.deliver({ ...message("moved", 3), transferred: null })
  channel.deliver({ ...message("moved", 4), transferred: null })
  expect(heard).toEqual([
    ["moved", 1],
    ["other", 2],
    ["moved", 3],
  ])
  const log = channel.log().getSnapshot()
  expect(log.map(({ id, position }) => [id, position.sequence])).toEqual([
    ["other", 2],
    ["moved", 3],
  ])
})

test("emits a message once when several members transfer it", () => {
  const channel = new ConferenceChannel("chat", {} as ChannelConfig, { history: true })
  const heard: string[] = []
  channel.on("message", ({ id }) => heard.push(id))
  for (const sequence of [1, 2]) channel.deliver(message("a", sequence))
  channel.deliver(message("b", 3))
  expect(heard).toEqual(["a", "b"])
  expect(channel.log().getSnapshot()).toHaveLength(2)
})
