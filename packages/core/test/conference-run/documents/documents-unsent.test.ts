/** Parts of a document that could not be sent, and how the others get them later. */
import { afterEach, expect, test, vi } from "vitest"
import * as Y from "yjs"
import { MessageKind } from "../../../src/multicast/message-kind.ts"
import { documentStore } from "../../../src/store/index.ts"
import { awaiting, documentOf, memberOf, peersOf, TRANSFER } from "./documents.ts"
import { Room, securedWith } from "../harness.ts"

let room = new Room()
afterEach(async () => {
  vi.useRealTimers()
  await room.close()
  room = new Room()
})

const WAIT = { timeout: 60_000 }
const peers = peersOf("ab")
// Noise, which deflate leaves as it is.
const noise = (KiB: number) => {
  const bytes = new Uint8Array(KiB * 1024)
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

/** Ada's document, of which 128 KiB can be sent, and what Bob has of it. `pause`: before each send of a change. */
function adaAndBob(pause: () => Promise<void> = () => Promise.resolve()) {
  const bob = documentOf("b", undefined, { transfers: awaiting("a") })
  const from = memberOf("a")
  const call = async (_: string, params: { kind?: number; payload?: Uint8Array; channel?: string }) => {
    if (params.payload === undefined) return []
    if (params.kind !== MessageKind.awareness) await pause()
    bob.onPayload({ type: "payload", channel: params.channel!, kind: params.kind!, from, payload: params.payload })
    return null
  }
  const ada = documentOf("a", call, { sendableBytesMax: 2 ** 17 })
  for (const document of [ada, bob]) document.onView(peers, "nothing", TRANSFER)
  const told: string[] = []
  ada.on("unsent", ({ code }) => told.push(code))
  ada.on("caughtUp", () => told.push("caught up"))
  const bobs = bob.doc.getMap("elements")
  const atBob = (): string[] => Object.keys(bobs.toJSON()).toSorted()
  return {
    ada,
    elements: ada.doc.getMap("elements"),
    bobs,
    atBob,
    told,
    close: () => [ada, bob].forEach((d) => d.close()),
  }
}

/** A retry together with later changes happens at once. */
function skipPauses(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
}

function afterPauses<T>(value: () => T) {
  return expect.poll(async () => {
    await vi.advanceTimersByTimeAsync(5_000)
    return value()
  })
}

test("later changes arrive once the one that was too large is taken out", async () => {
  skipPauses()
  const { elements, atBob, told, close } = adaAndBob()
  elements.set("first", 1)
  await expect.poll(atBob).toEqual(["first"])
  elements.set("video", noise(140))
  await expect.poll(() => told).toEqual(["too-large"])
  elements.set("after it", 2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(atBob()).toEqual(["first"])
  elements.delete("video")
  await afterPauses(atBob).toEqual(["after it", "first"])
  await afterPauses(() => told).toEqual(["too-large", "caught up"])
  elements.set("later", 3)
  await expect.poll(atBob).toEqual(["after it", "first", "later"])
  expect(told).toEqual(["too-large", "caught up"])
  close()
})

test("tells a late subscriber what is unsent, until it has been sent", async () => {
  skipPauses()
  const { ada, elements, told, close } = adaAndBob()
  const late = (): string[] => {
    const codes: string[] = []
    ada.on("unsent", ({ code }) => codes.push(code))()
    return codes
  }
  expect(late()).toEqual([])
  elements.set("video", noise(140))
  await expect.poll(() => told).toEqual(["too-large"])
  expect(late()).toEqual(["too-large"])
  expect(documentStore(ada).getSnapshot().unsent).toMatchObject({ code: "too-large" })
  elements.delete("video")
  await afterPauses(() => told).toEqual(["too-large", "caught up"])
  expect(late()).toEqual([])
  expect(documentStore(ada).getSnapshot().unsent).toBeNull()
  close()
})

test("it is tried again at the next view, without a change", async () => {
  skipPauses()
  const { ada, elements, atBob, told, close } = adaAndBob()
  elements.set("video", noise(140))
  await expect.poll(() => told).toEqual(["too-large"])
  ada.onView(peers, "nothing", TRANSFER)
  elements.delete("video")
  elements.set("a", 1)
  await Promise.resolve()
  ada.onView(peers, "nothing", TRANSFER)
  await expect.poll(atBob).toEqual(["a"])
  expect(told.at(-1)).toBe("caught up")
  close()
})

test("keeps changes made during a transfer, and does not send them before it", async () => {
  skipPauses()
  let sends = 0
  let go = (): void => undefined
  let hold: Promise<void> | null = null
  const { ada, elements, atBob, told, close } = adaAndBob(() => {
    sends++
    return hold ?? Promise.resolve()
  })
  elements.set("video", noise(140))
  await expect.poll(() => told).toEqual(["too-large"])
  elements.delete("video")
  elements.set("a", 1)
  hold = new Promise((resolve) => (go = resolve))
  const before = sends
  ada.onView(peers, "nothing", TRANSFER)
  await expect.poll(() => sends).toBe(before + 1)
  elements.set("meanwhile", 2)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sends).toBe(before + 1)
  go()
  await expect.poll(atBob).toEqual(["a", "meanwhile"])
  expect(told).toEqual(["too-large", "caught up"])
  close()
})

test("newcomers are handed a whole that was too large as soon as it is not", async () => {
  skipPauses()
  const { ada, elements, atBob, told, close } = adaAndBob()
  elements.set("photo", noise(90))
  elements.set("a", 1)
  await expect.poll(atBob).toEqual(["a", "photo"])
  for (const part of ["1", "2"]) {
    await Promise.resolve()
    elements.set(`photo ${part}`, noise(30))
    await expect.poll(atBob).toContain(`photo ${part}`)
  }
  ada.onView(peers, "all", TRANSFER)
  await expect.poll(() => told).toEqual(["too-large"])
  elements.delete("photo 1")
  elements.delete("photo 2")
  await afterPauses(() => told).toEqual(["too-large", "caught up"])
  close()
})

const cyclic: unknown[] = []
cyclic.push({ cyclic })
test.each<[string, (elements: Y.Map<unknown>) => void]>([
  ["a key", (elements) => elements.set("a", cyclic)],
  ["a list", (elements) => (elements.get("list") as Y.Array<unknown>).push([2, cyclic])],
  ["an embed of a text", (elements) => (elements.get("text") as Y.Text).insertEmbed(1, cyclic)],
  ["a format of a text", (elements) => (elements.get("text") as Y.Text).format(0, 1, { bold: 1n })],
])("undoes a change when its value as %s cannot be sent, and sends later ones", async (_, change) => {
  const { ada, elements, bobs, close } = adaAndBob()
  elements.set("a", { b: [1] })
  elements.set("list", Y.Array.from([1]))
  elements.set("text", new Y.Text("ab"))
  const before = elements.toJSON()
  const refused = (): void =>
    ada.doc.transact(() => {
      elements.delete("list")
      elements.set("list", Y.Array.from([3]))
      elements.set("beside it", 1)
      change(elements)
    })
  expect(refused).toThrow(expect.objectContaining({ code: "invalid-argument" }))
  expect(elements.toJSON()).toEqual(before)
  elements.set("later", 1)
  await expect.poll(() => bobs.toJSON()).toEqual({ ...before, later: 1 })
  close()
})

test("reports a viewer's changes as unsent, and sends them when it becomes an editor", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([ada, bob].map((conference) => securedWith(conference, 2)))
  await ada.setRole(bob.self.id, "viewer")
  await expect.poll(() => bob.view.members.find(({ self }) => self)?.role, WAIT).toBe("viewer")
  const [atAda, atBob] = [ada, bob].map((conference) => conference.document("board").doc.getMap("elements"))
  const told: string[] = []
  bob.document("board").on("unsent", ({ code }) => told.push(code))
  bob.document("board").on("caughtUp", () => told.push("caught up"))
  atBob!.set("looking on", 1)
  await expect.poll(() => told, WAIT).toEqual(["not-permitted"])
  await ada.setRole(bob.self.id, "editor")
  await expect.poll(() => atAda!.toJSON(), WAIT).toEqual({ "looking on": 1 })
  await expect.poll(() => told, WAIT).toEqual(["not-permitted", "caught up"])
  atBob!.set("drawing", 2)
  await expect.poll(() => atAda!.toJSON(), WAIT).toEqual({ "looking on": 1, drawing: 2 })
})
