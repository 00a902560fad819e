import { bytesToHex } from "@noble/hashes/utils.js"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import * as Y from "yjs"
import { contentDigest } from "../../src/documents/index.ts"
import { differentTypes, drawnBy } from "./drawings.ts"

const digestOf = async (doc: Y.Doc): Promise<string> => bytesToHex(await contentDigest(doc))

test("documents with the same updates have one digest, whatever the order", async () => {
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
  const handedOver = new Y.Doc()
  Y.applyUpdate(handedOver, Y.encodeStateAsUpdate(doc))
  handedOver.getMap("only asked for")
  expect(await digestOf(handedOver)).toBe(await digestOf(doc))
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
