import * as fc from "fast-check"
import { describe, expect, test } from "vitest"

import {
  paddedLength,
  assertSendable,
  BATCH_BYTES_MAX,
  BATCH_MESSAGES_MAX,
  type BatchMessage,
  countFitting,
  decodeBatch,
  encodeBatch,
  PAYLOAD_BYTES_MAX,
} from "../../src/multicast/batch.ts"
import { eachBitFlipped } from "../identity/people.ts"

const message = (payloadBytes: number, change: Partial<BatchMessage> = {}): BatchMessage => ({
  channel: "chat",
  kind: 1,
  payload: new Uint8Array(payloadBytes).fill(7),
  sentAtMs: Date.UTC(2026, 0, 15),
  ...change,
})

const anyName = fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 })
// Often as of the message before.
const anyMessage = fc.record({
  channel: fc.oneof(
    fc.constant("chat"),
    anyName.filter((name) => Buffer.byteLength(name) <= 64),
  ),
  kind: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 255 })),
  payload: fc.uint8Array({ maxLength: 2000 }),
  sentAtMs: fc.oneof(fc.constant(1), fc.integer({ min: 0, max: 8_640_000_000_000_000 })),
})

describe("a batch", () => {
  test("comes out as it went in, and in one way only", () => {
    fc.assert(
      fc.property(fc.array(anyMessage, { minLength: 1, maxLength: 20 }), (messages) => {
        const bytes = encodeBatch(messages)
        const decoded = decodeBatch(bytes)
        expect(decoded).toEqual(messages)
        expect(encodeBatch(decoded!)).toEqual(bytes)
      }),
      { numRuns: 50 },
    )
  })

  test("encodes channel, kind and time only where they differ from the previous message", () => {
    const contentBytes = (...changes: Partial<BatchMessage>[]) => {
      const bytes = encodeBatch(changes.map((change) => message(1, change)))
      return bytes.findLastIndex((byte) => byte !== 0) + 1
    }
    const one = contentBytes({})
    const payload = 1
    expect(contentBytes({}, {}) - one).toBe(4 + payload)
    expect(contentBytes({}, { kind: 2 }) - one).toBe(4 + "1chat2".length + payload)
    expect(contentBytes({}, { channel: "board" }) - one).toBe(4 + "1board2".length + payload)
    expect(contentBytes({}, { sentAtMs: 5 }) - one).toBe(4 + 8 + payload)
  })

  test("shows an observer a size bucket: short messages are all alike", () => {
    const sizeOf = (payloadBytes: number) => encodeBatch([message(payloadBytes)]).length
    expect([0, 1, 100, 230].map(sizeOf)).toEqual([256, 256, 256, 256])
    expect([300, 1000, 1100, 2100, 4000, 4090, 9000].map(sizeOf)).toEqual([1024, 1024, 2048, 4096, 4096, 8192, 12288])
    for (let bytes = 1; bytes < BATCH_BYTES_MAX; bytes += 97) {
      expect(paddedLength(bytes)).toBeGreaterThanOrEqual(bytes)
      expect(paddedLength(paddedLength(bytes))).toBe(paddedLength(bytes))
    }
    expect(paddedLength(BATCH_BYTES_MAX)).toBe(BATCH_BYTES_MAX)
  })

  test("takes as many messages from a queue as fit, and never none", () => {
    expect(countFitting([])).toBe(0)
    expect(countFitting(Array.from({ length: 2000 }, () => message(0)))).toBe(BATCH_MESSAGES_MAX)
    const largest = message(PAYLOAD_BYTES_MAX, { channel: "x".repeat(64) })
    expect(countFitting([largest, largest])).toBe(1)
    const queue = Array.from({ length: 600 }, (_, i) => message(i * 3))
    const count = countFitting(queue)
    expect(encodeBatch(queue.slice(0, count)).length).toBeLessThanOrEqual(BATCH_BYTES_MAX)
    expect(() => encodeBatch(queue.slice(0, count + 1))).toThrow("invariant")
    expect(() => encodeBatch([])).toThrow("invariant")
  })

  test("is refused cut at any length", () => {
    const bytes = encodeBatch([message(300), message(20, { channel: "board" })])
    for (let length = 0; length < bytes.length; length++) expect(decodeBatch(bytes.subarray(0, length))).toBeNull()
    expect(decodeBatch(Uint8Array.of(...bytes, 0))).toBeNull()
  })

  test("hides nothing: a second form of the same messages is refused", () => {
    const bytes = encodeBatch([message(10)])
    expect(decodeBatch(bytes.with(255, 1))).toBeNull()
    const longer = new Uint8Array(1024)
    longer.set(bytes)
    expect(decodeBatch(longer)).toBeNull()
    expect(decodeBatch(Uint8Array.of(1, 0, 0, ...new Uint8Array(253)))).toBeNull()
  })

  test("is refused when it repeats a message's header or omits the first one's", () => {
    const names = encodeBatch([message(0, { channel: "a" }), message(0, { channel: "b" })])
    expect(decodeBatch(names.with(names.lastIndexOf("b".charCodeAt(0)), "c".charCodeAt(0)))).toHaveLength(2)
    expect(decodeBatch(names.with(names.lastIndexOf("b".charCodeAt(0)), "a".charCodeAt(0)))).toBeNull()
    const times = encodeBatch([message(0, { sentAtMs: 1 }), message(0, { sentAtMs: 2 })])
    expect(decodeBatch(times.with(times.lastIndexOf(2), 3))).toHaveLength(2)
    expect(decodeBatch(times.with(times.lastIndexOf(2), 1))).toBeNull()
    // A word that says nothing, of no bytes.
    expect(decodeBatch(Uint8Array.of(1, 0, 1, ...new Uint8Array(253)))).toBeNull()
  })

  test("with any bit flipped is refused or another batch, and no decoder throws", () => {
    const messages = [message(30), message(3, { channel: "cursor" })]
    for (const { flipped } of eachBitFlipped(encodeBatch(messages))) expect(decodeBatch(flipped)).not.toEqual(messages)
  })

  test("never throws when its bytes are random or randomly changed", () => {
    const good = encodeBatch([message(100), message(100)])
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat(good.length), (noise, at) => {
        decodeBatch(noise)
        const changed = good.slice()
        changed.set(noise.subarray(0, good.length - at), at)
        decodeBatch(changed)
      }),
      { numRuns: 500 },
    )
  })

  test("is refused before it is read when it claims more than the bounds", () => {
    expect(decodeBatch(new Uint8Array(BATCH_BYTES_MAX + 4096))).toBeNull()
    expect(decodeBatch(encodeBatch([message(1)]).with(1, 0xff))).toBeNull()
  })
})

test.each([
  ["no name", message(1, { channel: "" }), "invalid-argument"],
  ["a name over 64 bytes", message(1, { channel: "é".repeat(33) }), "invalid-argument"],
  ["half a character", message(1, { channel: "a\ud800" }), "invalid-argument"],
  ["a payload over 128 KiB", message(PAYLOAD_BYTES_MAX + 1), "too-large"],
])("refuses a message with %s when it is sent", (_, bad, code) => {
  expect(() => assertSendable(bad)).toThrow(expect.objectContaining({ name: "KeymootError", code }))
  expect(() => assertSendable(message(PAYLOAD_BYTES_MAX, { channel: "é".repeat(32) }))).not.toThrow()
})
