import { bytesToHex } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import * as Y from "yjs"
import { checkUpdate } from "../../src/documents/checked-update.ts"
import { contentDigest } from "../../src/documents/content-digest.ts"
import { differentTypes, drawnBy } from "./drawings.ts"

const digestOf = async (doc: Y.Doc): Promise<string> => bytesToHex(await contentDigest(doc))

test("gives documents with the same updates one digest in any order", async () => {
  const { doc, other, updates } = differentTypes()
  const expected = await digestOf(doc)
  expect(await digestOf(other)).toBe(expected)
  const orders = fc.shuffledSubarray([...updates.keys()], { minLength: updates.length })
  await fc.assert(
    fc.asyncProperty(orders, fc.boolean(), async (order, gc) => {
      const copy = new Y.Doc({ gc })
      for (const index of order) Y.applyUpdate(copy, updates[index]!)
      expect(await digestOf(copy)).toBe(expected)
    }),
    { numRuns: 30 },
  )
})

test("a document transferred whole, or kept for undo, has the same digest", async () => {
  const { doc, updates } = differentTypes()
  const transferred = new Y.Doc()
  Y.applyUpdate(transferred, Y.encodeStateAsUpdate(doc))
  transferred.getMap("only asked for")
  expect(await digestOf(transferred)).toBe(await digestOf(doc))
  const undoing = new Y.Doc()
  const manager = new Y.UndoManager(undoing.getText("text"), { trackedOrigins: new Set([null]) })
  for (const update of updates) Y.applyUpdate(undoing, update, null)
  expect(await digestOf(undoing)).toBe(await digestOf(doc))
  manager.destroy()
})

test.each<[string, (doc: Y.Doc) => void]>([
  ["a stroke more", (doc) => void doc.getMap("elements").set("more", 1)],
  ["a stroke less", (doc) => void doc.getMap("elements").delete("1")],
  ["another value under a key", (doc) => void doc.getMap("elements").set("1", 0)],
  ["a type more", (doc) => void doc.getMap("elements").set("1", new Y.Map())],
])("documents that differ by %s have different digests", async (_, change) => {
  const [one, two] = [drawnBy(7, 5), drawnBy(7, 5)]
  expect(await digestOf(one)).toBe(await digestOf(two))
  change(two)
  expect(await digestOf(one)).not.toBe(await digestOf(two))
})

test("two contents under one id have different digests", async () => {
  const [one, two] = ["this", "that"].map((text) => {
    const doc = new Y.Doc()
    doc.clientID = 7
    doc.getMap("elements").set("a", text)
    return doc
  })
  expect(Y.encodeStateVector(one!)).toEqual(Y.encodeStateVector(two!))
  expect(await digestOf(one!)).not.toBe(await digestOf(two!))
})

test("finds the difference when a text between swapped neighbours meets a change", async () => {
  const [first, honest] = [new Y.Doc(), new Y.Doc()]
  first.clientID = 1
  first.getText("notes").insert(0, "Hello")
  const start = Y.encodeStateAsUpdate(first)
  honest.clientID = 3
  Y.applyUpdate(honest, start)
  const before = Y.encodeStateVector(honest)
  honest.getText("notes").insert(3, "!")
  const change = Y.encodeStateAsUpdate(honest, before)
  // Client 2 writes "x" after letter 3 and before letter 2 of client 1.
  const swapped = Uint8Array.of(1, 1, 2, 0, 0xc4, 1, 3, 1, 2, 1, "x".charCodeAt(0), 0)
  expect(checkUpdate(swapped)).not.toBeNull()
  const [one, other] = [new Y.Doc(), new Y.Doc()]
  for (const update of [start, swapped, change]) Y.applyUpdate(one, update)
  for (const update of [start, change, swapped]) Y.applyUpdate(other, update)
  expect([one, other].map((doc) => doc.getText("notes").toString())).toEqual(["Hexl!lo", "Hel!lox"])
  expect(await digestOf(one)).not.toBe(await digestOf(other))
})
