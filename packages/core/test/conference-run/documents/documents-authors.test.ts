/** Members that write under client ids of others before these can. */
import { expect, test } from "vitest"
import * as Y from "yjs"
import type { ConferenceView } from "../../../src/api/index.ts"
import type { ConferenceDocument } from "../../../src/client/documents/document.ts"
import { encodeTransfer } from "../../../src/documents/document-messages.ts"
import { splitIntoChunks } from "../../../src/history/chunks.ts"
import { MessageKind } from "../../../src/multicast/message-kind.ts"
import { documentOf, memberOf, peersOf, TRANSFER } from "./documents.ts"

const WAIT = { timeout: 20_000 }

function say(to: ConferenceDocument, from: string, payload: Uint8Array, kind: number = MessageKind.documentUpdate) {
  to.onPayload({ type: "payload", channel: "x", kind, from: memberOf(from), payload })
}

/** Sends what a member may send of those that are away. */
function sayWhole(to: ConferenceDocument, from: string, update: Uint8Array): void {
  for (const piece of splitIntoChunks(encodeTransfer({ kind: "whole", update })))
    say(to, from, piece, MessageKind.documentChange)
}

/** A drawing under this client id. */
function drawnAs(client: number, key: string): Y.Doc {
  const doc = new Y.Doc()
  doc.clientID = client
  doc.getMap("elements").set(key, 1)
  return doc
}

/** Bob's document, and the author that it names. */
function bobsBoard(copy: readonly Uint8Array[] = []) {
  const present = { view: { members: [..."abe"].map(memberOf) } as unknown as ConferenceView, onEvent: () => undefined }
  const bob = documentOf("b", async (name) => (name === "copy.read" ? copy : null), { present })
  const elements = bob.doc.getMap("elements")
  const authorOf = (key: string): string | undefined => bob.authorOf(elements, key)?.name
  return { bob, elements, authorOf }
}

test.each([
  ["it comes", "be", ""],
  ["it may write", "abe", "a"],
])("names no author of what another one wrote before %s", async (_, before, viewers) => {
  const { bob, elements, authorOf } = bobsBoard()
  const ada = documentOf("a").doc
  bob.onView(peersOf(before, viewers), "nothing", TRANSFER)
  const forged = drawnAs(ada.clientID, "forged")
  sayWhole(bob, "e", Y.encodeStateAsUpdate(forged))
  await expect.poll(() => elements.get("forged"), WAIT).toBe(1)
  expect(authorOf("forged")).toBeUndefined()
  bob.onView(peersOf("abe"), "nothing", TRANSFER)
  expect(authorOf("forged")).toBeUndefined()
  const known = Y.encodeStateVector(forged)
  forged.getMap("elements").set("own", 1)
  say(bob, "a", Y.encodeStateAsUpdate(forged, known))
  expect(authorOf("own")).toBe("a")
})

test("names no author of what came before and is applied after the author has come", async () => {
  const { bob, elements, authorOf } = bobsBoard()
  const ada = documentOf("a").doc
  bob.onView(peersOf("be"), "nothing", TRANSFER)
  sayWhole(bob, "e", Y.encodeStateAsUpdate(drawnAs(ada.clientID, "forged")))
  bob.onView(peersOf("abe"), "nothing", TRANSFER)
  await expect.poll(() => elements.get("forged"), WAIT).toBe(1)
  expect(authorOf("forged")).toBeUndefined()
})

test("names the author of what it wrote while it was here", () => {
  const { bob, elements, authorOf } = bobsBoard()
  const ada = documentOf("a").doc
  bob.onView(peersOf("abe"), "nothing", TRANSFER)
  say(bob, "a", Y.encodeStateAsUpdate(drawnAs(ada.clientID, "drawn")))
  elements.set("mine", 1)
  bob.onView(peersOf("abe"), "nothing", TRANSFER)
  expect(authorOf("drawn")).toBe("a")
})

test("names no author of what the local copy holds under a present id", async () => {
  const ada = documentOf("a").doc
  const forged = drawnAs(ada.clientID, "forged")
  const { bob, elements, authorOf } = bobsBoard([Y.encodeStateAsUpdate(forged)])
  bob.onView(peersOf("abe"), "nothing", TRANSFER)
  await expect.poll(() => elements.get("forged"), WAIT).toBe(1)
  expect(authorOf("forged")).toBeUndefined()
  const known = Y.encodeStateVector(forged)
  forged.getMap("elements").set("own", 1)
  say(bob, "a", Y.encodeStateAsUpdate(forged, known))
  expect(authorOf("own")).toBe("a")
})
