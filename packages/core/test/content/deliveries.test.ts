import type { MemberId, View } from "@keymoot/transport"
import { expect, test } from "vitest"
import { Deliveries, type DeliveriesConfig } from "../../src/content/deliveries.ts"
import { MessageKind } from "../../src/multicast/message-kind.ts"
import { messagesOf } from "../../src/rpc/message-runs.ts"
import type { Outbound, OwnDelivery, SendOutcome } from "../../src/driver/outbox.ts"
import type { EngineEvent } from "../../src/rpc/protocol.ts"
import { type BatchMessage, type BatchService, decodeBatch, encodeBatch } from "../../src/multicast/batch.ts"

const sender = "aa".repeat(16) as MemberId
const view = { id: "bb".repeat(32), epoch: 1 } as unknown as View

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

type Given = { readonly service?: BatchService; readonly own?: readonly Outbound[]; readonly role?: string }

/** Reports made before anything is awaited. */
function delivered(contents: readonly BatchMessage[], { service = "agreed", own = [], role }: Given = {}) {
  const events: EngineEvent[] = []
  const deliveries = new Deliveries({
    sink: { take: (event: EngineEvent) => void events.push(event) },
    roster: { member: (id: MemberId) => ({ id }) },
    rules: { roleIn: () => role ?? "editor" },
  } as unknown as DeliveriesConfig)
  const messages = decodeBatch(encodeBatch(contents))!
  void deliveries.take({ type: "batch", view, sender, service, sequence: 7, messages, own })
  return events
}

function said(text: string, channel = "chat", kind: MessageKind = MessageKind.message): BatchMessage {
  return { channel, kind, payload: bytesOf(text), sentAtMs: 1 }
}

/** As the application's end makes them of what has crossed. */
function messages(events: readonly EngineEvent[]) {
  return events.flatMap((event) => (event.type === "messages" ? messagesOf(structuredClone(event)) : []))
}

test("passes a batch's messages to the page as one, without the batch's buffer", () => {
  const texts = Array.from({ length: 100 }, (_, i) => `number ${i}`)
  const events = delivered(texts.map((text) => said(text)))
  expect(events).toHaveLength(1)
  expect(events[0]).toMatchObject({ type: "messages", channel: "chat" })
  const { bytes } = events[0] as EngineEvent & { readonly type: "messages" }
  expect(bytes.buffer.byteLength).toBe(texts.join("").length)
  const all = messages(events)
  expect(all.map(({ text }) => text)).toEqual(texts)
  // Each has its own buffer, so keeping one message keeps no others in memory.
  for (const { data } of all) expect(data.buffer.byteLength).toBe(data.byteLength)
  expect(all.map(({ id }) => id)).toEqual(texts.map((_, i) => `${sender}/${view.id}/7/${i}`))
  expect(all.map(({ position }) => position.sequence)).toEqual(texts.map((_, i) => i + 1))
  expect(all.every(({ sentAtMs, from }) => sentAtMs === 1 && from.id === sender)).toBe(true)
})

test("passes a batch mostly of one channel in the buffer in which it was opened", () => {
  const texts = Array.from({ length: 100 }, (_, i) => `number ${i} `.repeat(50))
  const contents = texts.map((text) => said(text))
  const events = delivered(contents)
  expect(events).toHaveLength(1)
  const { bytes } = events[0] as EngineEvent & { readonly type: "messages" }
  expect(bytes).toEqual(encodeBatch(contents))
  const all = messages(events)
  expect(all.map(({ text }) => text)).toEqual(texts)
  for (const { data } of all) expect(data.buffer.byteLength).toBe(data.byteLength)
})

test("an update of a document crosses to the page without the batch that it came in", () => {
  const texts = Array.from({ length: 100 }, (_, i) => `number ${i}`)
  const events = delivered(texts.map((text) => said(text, "chat", MessageKind.documentUpdate)))
  const payloads = events.map((event) => (event.type === "payload" ? event.payload : new Uint8Array(0)))
  expect(payloads.map(textOf)).toEqual(texts)
  for (const payload of payloads) expect(payload.buffer.byteLength).toBe(payload.byteLength)
})

test("reports what is between messages of a batch in order, and counts every place", () => {
  const drawn = said("drawn", "board", MessageKind.documentUpdate)
  const events = delivered([said("one"), said("two"), drawn, said("three", "other"), said("four")])
  const told = events.map((event) => (event.type === "messages" ? event.channel : event.type))
  expect(told).toEqual(["chat", "payload", "other", "chat"])
  const all = messages(events)
  expect(all.map(({ text, position, id }) => [text, position.sequence, id.split("/").at(-1)])).toEqual([
    ["one", 1, "0"],
    ["two", 2, "1"],
    ["three", 4, "3"],
    ["four", 5, "4"],
  ])
})

test("messages outside the order have the place of the last one in it", () => {
  expect(messages(delivered([said("one"), said("two")], { service: "fifo" })).map(({ position }) => position)).toEqual([
    { epoch: 1, view: view.id, sequence: 0 },
    { epoch: 1, view: view.id, sequence: 0 },
  ])
})

test("answers the sender with its message, and alone when it is none", () => {
  const taken: OwnDelivery[] = []
  const own = [11, 12, 13].map((request): Outbound => {
    const outcome = { take: (result: SendOutcome) => void (result.type === "delivered" && taken.push(result.taken)) }
    return { request, outcome, message: said("any"), service: "agreed", bulk: false }
  })
  const drawn = said("drawn", "board", MessageKind.documentUpdate)
  const events = delivered([said("one"), drawn, said("two")], { own })
  expect(events.flatMap((event) => (event.type === "messages" ? event.requests : []))).toEqual([11, 13])
  expect(taken).toEqual(["notified", null, "notified"])
})

test("delivers no message of a viewer", () => {
  const events = delivered([said("one"), said("two")], { role: "viewer" })
  expect(events.map((event) => (event.type === "security" ? event.event.code : event.type))).toEqual(["beyond-role"])
})

/** All that a viewer may send: cursors, key requests, answers to requests, and digests of its document. */
const OF_VIEWERS: readonly string[] = [
  "awareness",
  "refreshWish",
  "invitationSecret",
  "response",
  "refusal",
  "documentDigest",
  "documentWish",
] satisfies (keyof typeof MessageKind)[]

test.each(Object.entries(MessageKind))("takes %s from a viewer only if all may send it", (name, kind) => {
  const events = delivered([said("any", "board", kind)], { role: "viewer" })
  const codes = events.map((event) => (event.type === "security" ? event.event.code : event.type))
  expect(codes).toHaveLength(1)
  expect(codes.includes("beyond-role")).toBe(!OF_VIEWERS.includes(name))
})

test("delivers a message whose signature takes longer to check before the next", async () => {
  const texts: string[] = []
  let waits = 3
  const deliveries = new Deliveries({
    log: {
      take: async (_: MemberId, channel: string, data: Uint8Array) => {
        for (let turn = waits--; turn > 0; turn--) await Promise.resolve()
        return { message: { channel, text: new TextDecoder().decode(data) }, isNew: true }
      },
    },
    sink: { take: (event: EngineEvent) => event.type === "message" && texts.push(event.message.text) },
    roster: { member: (id: MemberId) => ({ id }) },
    rules: { roleIn: () => "editor" },
  } as unknown as DeliveriesConfig)
  const messages = ["one", "two", "three"].map((text) => {
    return { channel: "chat", kind: MessageKind.logItem, payload: new TextEncoder().encode(text), sentAtMs: 1 }
  })
  await deliveries.take({ type: "batch", view, sender, service: "agreed", sequence: 1, messages, own: [] })
  expect(texts).toEqual(["one", "two", "three"])
})

test("reports another's batch in order when checking one message takes longer", async () => {
  const told: unknown[] = []
  const deliveries = new Deliveries({
    sink: {
      take: (event: EngineEvent) => void (event.type === "message" && told.push(event.message.position.sequence)),
    },
    roster: { member: (id: MemberId) => ({ id }) },
    rules: { roleIn: () => "editor" },
    log: {
      take: async (_: MemberId, __: string, payload: Uint8Array, position: object) => {
        for (let turns = payload[0]!; turns > 0; turns--) await Promise.resolve()
        return { message: { position }, isNew: true }
      },
    },
  } as unknown as DeliveriesConfig)
  const item = { channel: "chat", kind: MessageKind.logItem, sentAtMs: 1 }
  const messages = [9, 0, 5].map((turns) => ({ ...item, payload: Uint8Array.of(turns) }))
  await deliveries.take({ type: "batch", view, sender, service: "agreed", sequence: 1, messages, own: [] })
  expect(told).toEqual([1, 2, 3])
})
