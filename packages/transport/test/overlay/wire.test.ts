import { equalBytes } from "@noble/curves/utils.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { HOPS_MAX, LINK_STATES_MAX } from "../../src/bounds/overlay-bounds.ts"
import {
  completeLinkRecord,
  decodeLinkRecord,
  encodeLinkRecord,
  linkRecordOrigin,
} from "../../src/overlay/link-record.ts"
import {
  decodeDiscovery,
  decodeOverlayMessage,
  encodeDiscovery,
  encodeOverlayMessage,
  gossipIdOf,
  gossipIdOfBytes,
  overlayWireMessages,
} from "../../src/overlay/wire.ts"
import { mutated } from "../../src/testing/random/mutated.ts"
import { Random } from "../../src/testing/random/random.ts"
import { ada, bob } from "../wire/sample-session.ts"
import { bare, discovery, frame, full, heartbeat, messages, neighbours, records } from "./sample-messages.ts"

/** It waits for nothing, and a busy machine may take its time. */
const COMPUTED = { timeout: 600_000 }
/** `npm run test:all` tries more. */
const INPUTS = process.env["RUNS"] === "full" ? 100_000 : 10_000

test.each(messages)("$kind: comes back as it went, and cut off is refused or says something else", (message) => {
  const bytes = encodeOverlayMessage(message)
  expect(decodeOverlayMessage(bytes)).toEqual(message)
  for (let length = 0; length < bytes.length; length++) {
    const cut = decodeOverlayMessage(bytes.subarray(0, length))
    // A frame goes to the end: what is cut off it is the frame's to notice.
    if (cut) expect(["gossip", "routed"]).toContain(cut.kind)
  }
  if (message.kind !== "gossip" && message.kind !== "routed") {
    expect(decodeOverlayMessage(Uint8Array.of(...bytes, 0))).toBeNull()
  }
})

test.each(discovery)("$kind: the same through the room", (message) => {
  expect(decodeDiscovery(encodeDiscovery(message))).toEqual(message)
})

test("a record round-trips, and is refused if cut off, extended or out of order", () => {
  expect(records.map(({ bytes }) => decodeLinkRecord(bytes))).toEqual(records)
  expect(records.map(({ bytes }) => linkRecordOrigin(bytes))).toEqual(records.map(({ origin }) => origin))
  expect(linkRecordOrigin(records[0]!.bytes.subarray(0, 20))).toBeNull()
  expect(records[1]).toMatchObject(full)
  for (const { bytes } of records) {
    for (let length = 0; length < bytes.length; length++) expect(decodeLinkRecord(bytes.subarray(0, length))).toBeNull()
    expect(decodeLinkRecord(Uint8Array.of(...bytes, 0))).toBeNull()
  }
  expect(() => encodeLinkRecord({ ...bare, neighbours: neighbours.toReversed() })).toThrow(RangeError)
  expect(() => encodeLinkRecord({ ...bare, neighbours: [ada.id] })).toThrow(RangeError)
  expect(() => encodeLinkRecord({ ...bare, status: { ...heartbeat, incarnation: 2 } })).toThrow(RangeError)
})

test("refuses a message with too many hops, or none", () => {
  for (const hopsLeft of [0, HOPS_MAX + 1]) {
    expect(() => encodeOverlayMessage({ kind: "routed", target: bob.id, hopsLeft, frame: frame.bytes })).toThrow(
      RangeError,
    )
    const bytes = encodeOverlayMessage({ kind: "routed", target: bob.id, hopsLeft: 1, frame: frame.bytes })
    bytes[17] = hopsLeft
    expect(decodeOverlayMessage(bytes)).toBeNull()
  }
})

test.each(["versions", "news", "wanted"] as const)(
  "%s go in several messages when there are too many for one",
  (kind) => {
    const versions = Array.from({ length: LINK_STATES_MAX + 1 }, (_, sequence) => ({ ...records[0]!, sequence }))
    const origins = versions.map(({ origin }) => origin)
    const message = kind === "wanted" ? { kind, origins } : { kind, versions }
    const wire = overlayWireMessages({ type: "linkState", message })
    expect(wire.map((each) => decodeOverlayMessage(encodeOverlayMessage(each))?.kind)).toEqual([kind, kind])
  },
)

test("gives a message its frame's id at every member", () => {
  expect(gossipIdOfBytes(frame.bytes)).toBe(gossipIdOf(frame))
})

test(`${INPUTS} mutated inputs cause no exception or second encoding in the decoders`, COMPUTED, () => {
  const random = new Random(5)
  const samples = [
    ...messages.map(encodeOverlayMessage),
    ...discovery.map(encodeDiscovery),
    ...records.map(({ bytes }) => bytes),
  ]
  const decoded = { messages: 0, discovery: 0, records: 0 }
  for (let i = 0; i < INPUTS; i++) {
    const bytes = mutated(random, samples)
    const message = decodeOverlayMessage(bytes)
    if (message) expectSame(encodeOverlayMessage(message), bytes)
    const inRoom = decodeDiscovery(bytes)
    if (inRoom) expectSame(encodeDiscovery(inRoom), bytes)
    const record = decodeLinkRecord(bytes)
    if (record) expectSame(completeLinkRecord(encodeLinkRecord(record), record.signature).bytes, bytes)
    if (message) decoded.messages++
    if (inRoom) decoded.discovery++
    if (record) decoded.records++
  }
  // Or nothing but the first check of all would have been tried.
  for (const count of Object.values(decoded)) expect(count).toBeGreaterThan(INPUTS / 100)
})

function expectSame(again: Uint8Array, bytes: Uint8Array): void {
  if (!equalBytes(again, bytes)) throw new Error(`two encodings: ${bytesToHex(bytes)}`)
}
