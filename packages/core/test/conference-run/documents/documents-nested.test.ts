/** Members that send values and nested types which Yjs handles differently at others, or not at all. */
import {
  createEncoder,
  type Encoder,
  toUint8Array,
  writeAny,
  writeUint8,
  writeVarUint,
  writeVarString,
} from "lib0/encoding"
import { expect, test } from "vitest"
import * as Y from "yjs"
import type { SecurityEvent } from "../../../src/api/index.ts"
import type { ConferenceDocument } from "../../../src/client/documents/document.ts"
import { contentDigest } from "../../../src/documents/content-digest.ts"
import { encodeTransfer } from "../../../src/documents/document-messages.ts"
import { encodeOnly } from "../../../src/documents/excluding.ts"
import { NESTING_MAX } from "../../../src/documents/nesting.ts"
import { splitIntoChunks } from "../../../src/history/chunks.ts"
import { MessageKind } from "../../../src/multicast/message-kind.ts"
import { deflate } from "../../../src/wire/index.ts"
import { awaiting, documentOf, memberOf, peersOf, TRANSFER } from "./documents.ts"

const WAIT = { timeout: 20_000 }
const TYPE = 7 | 0x20
const ANY = 8 | 0x20
const MAP = 1

function say(to: ConferenceDocument, from: string, payload: Uint8Array, kind: number = MessageKind.documentUpdate) {
  to.onPayload({ type: "payload", channel: "x", kind, from: memberOf(from), payload })
}

function bobWith(others: string) {
  const reported: string[] = []
  const sent: number[] = []
  const call = async (_: string, { kind }: { kind?: number }) => (kind === undefined ? [] : void sent.push(kind))
  const report = ({ code, member }: SecurityEvent): void => void reported.push(`${code} ${member?.[0]}`)
  const bob = documentOf("b", call, { report, transfers: awaiting(others) })
  bob.onView(peersOf(`b${others}`), "nothing", TRANSFER)
  return { bob, reported, sent }
}

function written(client: number, clock: number, structs: number, write: (encoder: Encoder) => void): Uint8Array {
  const encoder = createEncoder()
  for (const value of [1, structs, client, clock]) writeVarUint(encoder, value)
  write(encoder)
  writeVarUint(encoder, 0)
  return toUint8Array(encoder)
}

/** Maps, each inside the one before. The first is in the board, or in the map with the clock before. */
function nested(client: number, depth: number, clock = 0): Uint8Array {
  return written(client, clock, depth, (encoder) => {
    for (let at = clock; at < clock + depth; at++) {
      writeUint8(encoder, TYPE)
      writeVarUint(encoder, at === 0 ? 1 : 0)
      if (at === 0) writeVarString(encoder, "elements")
      else for (const value of [client, at - 1]) writeVarUint(encoder, value)
      writeVarString(encoder, "inside")
      writeVarUint(encoder, MAP)
    }
  })
}

function deletionOfFirst(client: number): Uint8Array {
  const encoder = createEncoder()
  for (const value of [0, 1, client, 1, 0, 1]) writeVarUint(encoder, value)
  return toUint8Array(encoder)
}

/** Whether a stroke of Bob leaves his device. */
async function sendsStroke(bob: ConferenceDocument, sent: number[]): Promise<boolean> {
  sent.length = 0
  bob.doc.getMap("other").set("stroke", 1)
  await Promise.resolve()
  return sent.includes(MessageKind.documentUpdate)
}

test("keeps sending strokes when a member nests types and deletes them", async () => {
  const { bob, reported, sent } = bobWith("e")
  const eve = documentOf("e").doc.clientID
  const depth = 10 * NESTING_MAX + 1000
  say(bob, "e", nested(eve, depth))
  say(bob, "e", deletionOfFirst(eve))
  expect(await sendsStroke(bob, sent)).toBe(true)
  expect(reported).toEqual(["invalid-content e"])
})

test("refuses a type nested too deeply when it comes level by level", async () => {
  const { bob, reported, sent } = bobWith("e")
  const eve = documentOf("e").doc.clientID
  for (let at = 0; at < 10 * NESTING_MAX; at++) say(bob, "e", nested(eve, 1, at))
  expect(Y.getState(bob.doc.store, eve)).toBe(NESTING_MAX + 1)
  expect(reported).toEqual(["invalid-content e"])
  await contentDigest(bob.doc)
  say(bob, "e", deletionOfFirst(eve))
  expect(await sendsStroke(bob, sent)).toBe(true)
})

test("takes other transfers when one that waits with them nests too deeply", async () => {
  const { bob, reported } = bobWith("ace")
  const [ada, cleo] = [documentOf("a").doc, documentOf("c").doc]
  // Each part depends on the other one.
  for (let i = 0; i < 4; i++) {
    const [author, other] = i % 2 === 0 ? [ada, cleo] : [cleo, ada]
    author.getMap("elements").set("both", new Y.Map([["round", i]]))
    Y.applyUpdate(other, Y.encodeStateAsUpdate(author))
  }
  const eve = documentOf("e").doc.clientID
  await handOver(bob, "e", Y.mergeUpdates([nested(eve, NESTING_MAX + 2), deletionOfFirst(ada.clientID)]))
  for (const [from, doc] of [
    ["a", ada],
    ["c", cleo],
  ] as const)
    await handOver(bob, from, encodeOnly(doc, doc.clientID))
  await expect.poll(() => bob.doc.getMap("elements").toJSON(), WAIT).toEqual({ both: { round: 3 } })
  expect(reported).toEqual(["invalid-content e"])
})

async function handOver(to: ConferenceDocument, from: string, update: Uint8Array): Promise<void> {
  const pieces = splitIntoChunks(await deflate(encodeTransfer({ kind: "own", update })), TRANSFER)
  for (const piece of pieces) say(to, from, piece, MessageKind.documentChunk)
}

/** A value with a key of this name, set by lib0 as the prototype of what it decodes. */
function withKey(client: number, key: string): Uint8Array {
  return written(client, 0, 1, (encoder) => {
    writeUint8(encoder, ANY)
    writeVarUint(encoder, 1)
    for (const text of ["elements", "drawn"]) writeVarString(encoder, text)
    writeVarUint(encoder, 1)
    writeAny(encoder, [{ [key]: { type: "rectangle" } }])
  })
}

test("refuses a value that newcomers would see differently", () => {
  const { bob, reported } = bobWith("e")
  const eve = documentOf("e").doc.clientID
  say(bob, "e", withKey(eve, "__proto__"))
  expect(bob.doc.getMap("elements").size).toBe(0)
  expect(reported).toEqual(["invalid-content e"])
  say(bob, "e", withKey(eve, "__proto_"))
  expect(bob.doc.getMap("elements").size).toBe(1)
})

test("takes a text that names a prototype", () => {
  const { bob } = bobWith("e")
  const eve = documentOf("e")
  let update: Uint8Array = new Uint8Array()
  eve.doc.on("update", (bytes: Uint8Array) => void (update = bytes))
  eve.doc.getMap("elements").set("__proto__", "__proto__")
  say(bob, "e", update)
  expect(bob.doc.getMap("elements").get("__proto__")).toBe("__proto__")
})

test("undoes an own change with a value that others would refuse", () => {
  const { doc } = documentOf("b")
  const elements = doc.getMap("elements")
  expect(() => elements.set("drawn", JSON.parse('{ "__proto__": { "type": "rectangle" } }'))).toThrow("undone")
  expect(elements.size).toBe(0)
})
