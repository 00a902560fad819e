/** Members that send what no honest program sends about a document. */
import { createEncoder, toUint8Array, writeUint8, writeVarUint } from "lib0/encoding"
import { expect, onTestFinished, test, vi } from "vitest"
import * as Y from "yjs"
import type { SecurityEvent } from "../../../src/api/index.ts"
import type { ConferenceDocument } from "../../../src/client/documents/document.ts"
import { encodeTransfer } from "../../../src/documents/document-messages.ts"
import { WAITING_BYTES_MAX, WAITING_UPDATES_MAX } from "../../../src/documents/waiting-updates.ts"
import { MessageKind } from "../../../src/multicast/message-kind.ts"
import { splitIntoChunks } from "../../../src/history/chunks.ts"
import { deflate } from "../../../src/wire/index.ts"
import { awaiting, documentOf, idOf, memberOf, peersOf, TRANSFER } from "./documents.ts"

const WAIT = { timeout: 20_000 }

/** Gives a document what a member sends. */
function say(
  to: ConferenceDocument,
  from: string,
  payload: Uint8Array,
  kind: number = MessageKind.documentUpdate,
): void {
  to.onPayload({ type: "payload", channel: "x", kind, from: memberOf(from), payload })
}

async function handOver(to: ConferenceDocument, from: string, update: Uint8Array): Promise<void> {
  const pieces = splitIntoChunks(await deflate(encodeTransfer({ kind: "whole", update })), TRANSFER)
  for (const piece of pieces) say(to, from, piece, MessageKind.documentChunk)
}

/** Bob's document in a view with these members, and what it reports and sends. */
function bobWith(others: string, viewers = "") {
  const reported: string[] = []
  const sent: number[] = []
  const call = async (_: string, { kind }: { kind?: number }) => (kind === undefined ? [] : void sent.push(kind))
  const report = ({ code, member }: SecurityEvent): void => void reported.push(`${code} ${member?.[0]}`)
  const bob = documentOf("b", call, { report, transfers: awaiting(others) })
  bob.onView(peersOf(`b${others}`, viewers), "nothing", TRANSFER)
  return { bob, reported, sent, elements: bob.doc.getMap("elements") }
}

/** A member's drawing, and the update of each stroke. */
function drawing(letter: string, incarnation = 1) {
  const document = documentOf(letter, undefined, { incarnation })
  const updates: Uint8Array[] = []
  document.doc.on("update", (update: Uint8Array) => updates.push(update))
  return { document, updates, doc: document.doc, elements: document.doc.getMap("elements") }
}

/** An update of a few bytes: one collected struct of this client, of any length. */
function gap(client: number, clock: number, length: number): Uint8Array {
  const encoder = createEncoder()
  for (const value of [1, 1, client, clock]) writeVarUint(encoder, value)
  writeUint8(encoder, 0)
  for (const value of [length, 0]) writeVarUint(encoder, value)
  return toUint8Array(encoder)
}

/** An update that deletes what this client may once write. */
function deletion(client: number, clock: number): Uint8Array {
  const encoder = createEncoder()
  for (const value of [0, 1, client, 1, clock, 1]) writeVarUint(encoder, value)
  return toUint8Array(encoder)
}

test("refuses a change under another's client id, and keeps that member's strokes", () => {
  const { bob, elements, reported } = bobWith("ae")
  const ada = drawing("a")
  ada.elements.set("first", 1)
  for (let i = 0; i < 20; i++) ada.elements.set(`stroke ${i}`, i)
  say(bob, "a", ada.updates[0]!)
  const forged = gap(ada.doc.clientID, 1, 10)
  expect(forged.length).toBeLessThan(100)
  say(bob, "e", forged)
  for (const update of ada.updates.slice(1)) say(bob, "a", update)
  expect(elements.size).toBe(21)
  expect(reported).toEqual(["invalid-content e"])
})

test("refuses a change under the sender's former or an absent member's client id", () => {
  const { bob, elements, reported } = bobWith("e")
  for (const author of [drawing("e", 2), drawing("a")]) {
    author.elements.set("stroke", 1)
    say(bob, "e", author.updates[0]!)
  }
  expect(elements.size).toBe(0)
  expect(reported).toEqual(["invalid-content e", "invalid-content e"])
})

test("takes nothing from a transfer in the name of present members", async () => {
  const { bob, elements } = bobWith("ae")
  const ada = drawing("a")
  for (let i = 0; i < 20; i++) ada.elements.set(`stroke ${i}`, i)
  const away = new Y.Doc()
  away.getMap("elements").set("drawn before", 1)
  const all = [gap(ada.doc.clientID, 0, 30), gap(bob.doc.clientID, 0, 30), Y.encodeStateAsUpdate(away)]
  await handOver(bob, "e", Y.mergeUpdates(all))
  await expect.poll(() => elements.size, WAIT).toBe(1)
  for (const update of ada.updates) say(bob, "a", update)
  expect(elements.size).toBe(21)
  const own = bob.doc.clientID
  elements.set("mine", 1)
  expect(bob.doc.store.clients.get(own)).toHaveLength(1)
})

test("transfers a viewer's strokes by others, since it cannot itself", async () => {
  const { elements, bob } = bobWith("ae", "a")
  const ada = drawing("a")
  ada.elements.set("drawn as an editor", 1)
  await handOver(bob, "e", ada.updates[0]!)
  await expect.poll(() => elements.size, WAIT).toBe(1)
})

test("others transfer a reloaded member's drawing, and it uses a new client id", async () => {
  const before = drawing("a", 1)
  before.elements.set("before", 1)
  const after = drawing("a", 2)
  expect(after.doc.clientID).not.toBe(before.doc.clientID)
  const reloaded = peersOf("be").concat({ id: idOf("a"), incarnation: 2, writes: true })
  const { bob, elements } = bobWith("e")
  bob.onView(reloaded, "unfinished", TRANSFER)
  await handOver(bob, "e", before.updates[0]!)
  await expect.poll(() => elements.size, WAIT).toBe(1)
  after.elements.set("after", 1)
  say(bob, "a", after.updates[0]!)
  expect(elements.size).toBe(2)
})

test("takes one part of each member that has come, and reports a second one", async () => {
  const { bob, elements, reported } = bobWith("ae")
  const parts = ["first", "second", "third"].map((key) => {
    const away = new Y.Doc()
    away.getMap("elements").set(key, 1)
    return Y.encodeStateAsUpdate(away)
  })
  await handOver(bob, "a", parts[0]!)
  await handOver(bob, "e", parts[1]!)
  await handOver(bob, "e", parts[2]!)
  await expect.poll(() => elements.toJSON(), WAIT).toEqual({ first: 1, second: 1 })
  expect(reported).toEqual(["unexpected-history e"])
})

test("takes no transfer from a member that has been there all the time", async () => {
  const { bob, elements } = bobWith("a")
  const away = new Y.Doc()
  away.getMap("elements").set("forged", 1)
  bob.onView(peersOf("abe"), "nothing", TRANSFER)
  await handOver(bob, "e", Y.encodeStateAsUpdate(away))
  await handOver(bob, "a", encodeEmpty())
  await new Promise<void>((transferred) => bob.on("transferred", () => transferred()))
  expect(elements.size).toBe(0)
})

test("keeps changes without their past up to a bound, and does no work for them", () => {
  const { bob, sent } = bobWith("e")
  const eve = documentOf("e").doc.clientID
  // All of it comes at once, and what was dropped is asked for once at a time.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  let [applied, most] = [0, 0]
  bob.doc.on("afterTransaction", () => applied++)
  for (let i = 0; i < 10 * WAITING_UPDATES_MAX; i++) {
    say(bob, "e", gap(eve, 10 + 2 * i, 1))
    most = Math.max(most, bob.waiting.updates)
  }
  for (let i = 0; i < 100; i++) say(bob, "e", deletion(eve, 10 + 2 * i))
  expect(applied).toBe(0)
  expect(bob.doc.store.pendingStructs).toBeNull()
  expect(bob.doc.store.pendingDs).toBeNull()
  expect(most).toBe(WAITING_UPDATES_MAX)
  expect(sent.filter((kind) => kind === MessageKind.documentWish)).toHaveLength(1)
})

test("large changes whose past never comes are kept up to a bound", () => {
  const { bob } = bobWith("e")
  const eve = drawing("e")
  const count = (10 * WAITING_BYTES_MAX) / 60_000
  for (let i = 0; i < count; i++) eve.elements.set("large", crypto.getRandomValues(new Uint8Array(60_000)))
  for (const update of eve.updates.slice(1)) {
    say(bob, "e", update)
    expect(bob.waiting.bytes).toBeLessThanOrEqual(WAITING_BYTES_MAX)
  }
})

test("changes that come before their past are applied, in their order, when it comes", () => {
  const { bob, elements } = bobWith("ac")
  const [ada, cleo] = [drawing("a"), drawing("c")]
  for (let i = 0; i < 50; i++) {
    const [author, other] = i % 2 === 0 ? [ada, cleo] : [cleo, ada]
    author.elements.set("both", i)
    Y.applyUpdate(other.doc, author.updates.at(-1)!)
  }
  const late = ada.updates.shift()!
  for (const update of cleo.updates) say(bob, "c", ownPart(update, cleo.doc.clientID))
  for (const update of ada.updates) say(bob, "a", ownPart(update, ada.doc.clientID))
  expect(elements.size).toBe(0)
  say(bob, "a", late)
  expect(elements.get("both")).toBe(49)
  expect(bob.waiting.updates).toBe(0)
})

/** Without what the author took from the other, as its own sender leaves it out. */
function ownPart(update: Uint8Array, client: number): Uint8Array {
  const { to } = Y.parseUpdateMeta(update)
  const others = [...to.keys()].filter((other) => other !== client)
  return Y.diffUpdate(update, Y.encodeStateVector(new Map(others.map((other) => [other, Number.MAX_SAFE_INTEGER]))))
}

test("parts that build on each other in a circle leave nothing behind", async () => {
  const { bob } = bobWith("ae")
  const [one, two] = [1, 2]
  const encoder = createEncoder()
  writeVarUint(encoder, 2)
  for (const [client, other] of [
    [two, one],
    [one, two],
  ] as const) {
    for (const value of [1, client, 0]) writeVarUint(encoder, value)
    // A string whose left neighbour is the other's.
    writeUint8(encoder, 0x84)
    for (const value of [other, 0, 1, 97]) writeVarUint(encoder, value)
  }
  writeVarUint(encoder, 0)
  await handOver(bob, "e", toUint8Array(encoder))
  await handOver(bob, "a", encodeEmpty())
  let transferred = false
  bob.on("transferred", () => (transferred = true))
  await expect.poll(() => transferred, WAIT).toBe(true)
  expect(bob.doc.store.pendingStructs).toBeNull()
  expect(bob.waiting.updates).toBe(0)
})

function encodeEmpty(): Uint8Array {
  return Y.encodeStateAsUpdate(new Y.Doc())
}
