import { expect, test } from "vitest"
import * as Y from "yjs"
import type { DocumentEvents } from "../../src/api/index.ts"
import { Emitter } from "../../src/client/connection/emitter.ts"
import type { Outcome } from "../../src/client/connection/piece-sender.ts"
import { DocumentSender } from "../../src/client/documents/document-sender.ts"
import { MessageKind } from "../../src/multicast/message-kind.ts"

test("says once that a document has caught up when a transfer brings the changes first", async () => {
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
  doc.on("update", (update) => sender.change(update))
  doc.getMap("elements").set("looking on", 1)
  await expect.poll(() => updates.length).toBe(1)
  updates[0]!("not-permitted")
  await expect.poll(() => events).toEqual(["not-permitted"])

  sender.retry()
  await expect.poll(() => updates.length).toBe(2)
  await sender.transfer("all", "ab".repeat(16))
  updates[1]!("sent")
  await expect.poll(() => sender.busy).toBe(false)
  expect(events).toEqual(["not-permitted", "caught up"])
  sender.close()
})
