import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { ConferenceChannel } from "../../src/client/channel.ts"
import type { EngineConnection } from "../../src/client/engine-connection.ts"
import { Deliveries, type DeliveriesConfig } from "../../src/engine/deliveries.ts"
import { MessageKind } from "../../src/engine/message-kind.ts"
import type { ConferenceEvent } from "../../src/engine/protocol.ts"
import { decodeBatch, encodeBatch } from "../../src/multicast/index.ts"

const sender = "aa".repeat(16) as MemberId
const view = { id: "bb".repeat(32), epoch: 1 } as unknown as View

function delivered(kind: number, texts: readonly string[]): ConferenceEvent[] {
  const events: ConferenceEvent[] = []
  const deliveries = new Deliveries({
    emit: (event: ConferenceEvent) => void events.push(event),
    member: (id: MemberId) => ({ id }),
    roleOf: () => "editor",
  } as unknown as DeliveriesConfig)
  const batch = encodeBatch(
    texts.map((text) => ({ channel: "chat", kind, payload: new TextEncoder().encode(text), sentAtMs: 1 })),
  )
  const messages = decodeBatch(batch)!
  void deliveries.take({ type: "batch", view, sender, service: "agreed", sequence: 1, messages, own: [] })
  return events
}

test.each(["message", "documentUpdate"] as const)(
  "a %s crosses to the page without the batch that it came in, and with the others of its batch",
  (name) => {
    const texts = Array.from({ length: 100 }, (_, i) => `number ${i}`)
    // What has been told before anything is waited for crosses as one.
    const events = delivered(MessageKind[name], texts)
    const payloads = events.map((event) => {
      if (event.type === "message") return event.message.data
      return event.type === "payload" ? event.payload : new Uint8Array(0)
    })
    expect(payloads.map((payload) => new TextDecoder().decode(payload))).toEqual(texts)
    for (const payload of payloads) expect(payload.buffer.byteLength).toBe(payload.byteLength)
  },
)

test("a message whose signature takes longer to check is still told before the next", async () => {
  const texts: string[] = []
  let waits = 3
  const deliveries = new Deliveries({
    log: {
      take: async (_: MemberId, channel: string, data: Uint8Array) => {
        for (let turn = waits--; turn > 0; turn--) await Promise.resolve()
        return { channel, text: new TextDecoder().decode(data) }
      },
    },
    emit: (event: ConferenceEvent) => event.type === "message" && texts.push(event.message.text),
    member: (id: MemberId) => ({ id }),
    roleOf: () => "editor",
  } as unknown as DeliveriesConfig)
  const messages = ["one", "two", "three"].map((text) => {
    return { channel: "chat", kind: MessageKind.logItem, payload: new TextEncoder().encode(text), sentAtMs: 1 }
  })
  await deliveries.take({ type: "batch", view, sender, service: "agreed", sequence: 1, messages, own: [] })
  expect(texts).toEqual(["one", "two", "three"])
})

test("a part of a large buffer that an application sends crosses alone", () => {
  const sent: Uint8Array[] = []
  const connection = { call: (_: string, params: { payload: Uint8Array }) => sent.push(params.payload) }
  const channel = new ConferenceChannel("chat", "id", connection as unknown as EngineConnection, {})
  void channel.send(new Uint8Array(1_000_000).fill(7).subarray(10, 13))
  expect(sent).toEqual([Uint8Array.of(7, 7, 7)])
  expect(sent[0]!.buffer.byteLength).toBe(3)
})

test("another's messages of one batch are told in their order, though checking one takes longer than the next", async () => {
  const told: unknown[] = []
  const deliveries = new Deliveries({
    emit: (event: ConferenceEvent) => void (event.type === "message" && told.push(event.message.position.sequence)),
    member: (id: MemberId) => ({ id }),
    roleOf: () => "editor",
    log: {
      take: async (_: MemberId, __: string, payload: Uint8Array, position: object) => {
        for (let turns = payload[0]!; turns > 0; turns--) await Promise.resolve()
        return { position }
      },
    },
  } as unknown as DeliveriesConfig)
  const item = { channel: "chat", kind: MessageKind.logItem, sentAtMs: 1 }
  const messages = [9, 0, 5].map((turns) => ({ ...item, payload: Uint8Array.of(turns) }))
  await deliveries.take({ type: "batch", view, sender, service: "agreed", sequence: 1, messages, own: [] })
  expect(told).toEqual([1, 2, 3])
})
