import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import * as Y from "yjs"
import type { DocumentEvents } from "../../src/api/index.ts"
import { Emitter } from "../../src/client/connection/emitter.ts"
import type { Outcome } from "../../src/client/connection/piece-sender.ts"
import { DocumentSender } from "../../src/client/documents/document-sender.ts"
import { MessageKind } from "../../src/multicast/message-kind.ts"

const BOB = "b0".repeat(16) as MemberId

/** Sender of a drawing that it may not send yet. `updates`: settle its sends, one after the other. */
async function refused(present: ReadonlySet<MemberId>) {
  const doc = new Y.Doc()
  const events: string[] = []
  const emitter = new Emitter<DocumentEvents>()
  emitter.on("unsent", ({ code }) => events.push(code))
  emitter.on("caughtUp", () => events.push("caught up"))
  const updates: ((outcome: Outcome) => void)[] = []
  const sender = new DocumentSender({
    doc,
    clients: { own: doc.clientID, writers: [] },
    sendableBytesMax: 2 ** 20,
    output: {
      send: (kind) =>
        kind === MessageKind.documentUpdate ? new Promise((resolve) => updates.push(resolve)) : Promise.resolve("sent"),
    },
    emitter,
  })
  sender.onView(present)
  doc.on("update", (update) => sender.change(update))
  doc.getMap("elements").set("looking on", 1)
  await expect.poll(() => updates.length).toBe(1)
  updates[0]!("not-permitted")
  await expect.poll(() => events).toEqual(["not-permitted"])
  return { sender, events, updates }
}

test("says once that a document has caught up when a transfer brings the changes first", async () => {
  const { sender, events, updates } = await refused(new Set())
  sender.retry()
  await expect.poll(() => updates.length).toBe(2)
  await sender.transfer("all", "ab".repeat(16))
  updates[1]!("sent")
  await expect.poll(() => sender.busy).toBe(false)
  expect(events).toEqual(["not-permitted", "caught up"])
  sender.close()
})

test("has caught up only when members that take no transfer have the changes too", async () => {
  const { sender, events, updates } = await refused(new Set([BOB]))
  const transferred = sender.transfer("all", "ab".repeat(16))
  await expect.poll(() => updates.length).toBe(2)
  expect([events, sender.busy]).toEqual([["not-permitted"], true])
  updates[1]!("sent")
  await transferred
  expect([events, sender.busy]).toEqual([["not-permitted", "caught up"], false])
  sender.close()
})

test("has caught up when members that take no transfer have left", async () => {
  const { sender, events, updates } = await refused(new Set([BOB]))
  const transferred = sender.transfer("all", "ab".repeat(16))
  await expect.poll(() => updates.length).toBe(2)
  updates[1]!("too-large")
  await transferred
  expect(events).toEqual(["not-permitted"])
  sender.onView(new Set())
  expect([events, sender.busy]).toEqual([["not-permitted", "caught up"], false])
  sender.close()
})
