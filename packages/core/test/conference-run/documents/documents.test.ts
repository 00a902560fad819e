import { applyAwarenessUpdate, encodeAwarenessUpdate } from "y-protocols/awareness"
import { afterEach, expect, test, vi } from "vitest"
import * as Y from "yjs"
import type { Conference } from "../../../src/client/conference.ts"
import { singleClient } from "../../../src/client/documents/document-awareness.ts"
import { MessageKind } from "../../../src/multicast/message-kind.ts"
import { PieceSender } from "../../../src/client/connection/piece-sender.ts"
import { reportedErrors } from "../../client/reported-errors.ts"
import { documentOf, memberOf, peersOf, TRANSFER } from "./documents.ts"
import { Room, securedWith } from "../harness.ts"
import { sendPiecesSlowly } from "../slow-pieces.ts"

/** `npm run unit:all` takes more. */
const LARGE_MB = process.env["RUNS"] === "full" ? 20 : 5

let room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  await room.close()
  room = new Room()
})

const elements = (conference: Conference): Y.Map<unknown> => conference.document("board").doc.getMap("elements")
const contents = (conference: Conference): unknown => elements(conference).toJSON()

test("both draw, and both see everything", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  elements(ada).set("a", 1)
  elements(bob).set("b", 2)
  await expect.poll(() => contents(ada)).toEqual({ a: 1, b: 2 })
  await expect.poll(() => contents(bob)).toEqual({ a: 1, b: 2 })
})

test("gives a newcomer a document of any size, and names its sender", async () => {
  const ada = await room.create("Ada")
  await securedWith(ada, 1)
  const big = Array.from({ length: 40_000 }, (_, i) => `element ${i}`)
  elements(ada).set("big", big)
  const bob = await room.join("Bob", ada.invitation.url)
  const from = new Promise((resolve) => bob.document("board").on("transferred", resolve))
  expect(await from).toMatchObject({ name: "Ada" })
  expect(contents(bob)).toEqual({ big })
})

test("a large board arrives with progress, and does not delay its sender's messages", async () => {
  const ada = await room.create("Ada")
  await securedWith(ada, 1)
  const noise = new Uint8Array(LARGE_MB * 1024 * 1024)
  for (let at = 0; at < noise.length; at += 65_536) crypto.getRandomValues(noise.subarray(at, at + 65_536))
  elements(ada).set("photograph", noise)
  const bob = await room.join("Bob", ada.invitation.url)
  const progress: { received: number; count: number }[] = []
  let pieces = 0
  let saidAfter = 0
  const transferred = new Promise((resolve) => bob.document("board").on("transferred", resolve))
  bob.channel("chat").on("message", () => void (saidAfter = pieces))
  bob.document("board").on("progress", ({ received, count }) => {
    pieces = received
    // The change itself, if its last pieces are still under way, and then all there is: the last transfer counts.
    if (received === 1) progress.length = 0
    progress.push({ received, count })
    if (received === 20) void ada.channel("chat").send("can you see it?")
  })
  await transferred
  // Element by element, as toEqual does it, takes half a minute.
  expect(Buffer.compare(elements(bob).get("photograph") as Uint8Array, noise)).toBe(0)
  expect(progress.length).toBe(progress[0]!.count - 1)
  expect(saidAfter).toBeGreaterThan(0)
  expect(saidAfter).toBeLessThan(progress[0]!.count / 2)
})

test("reports a change too large to send, and a document too large for newcomers", async () => {
  const sent: number[] = []
  const call = async (_: string, { payload }: { payload?: Uint8Array }) => (payload ? sent.push(payload.length) : [])
  const document = documentOf("a", call, { sendableBytesMax: 2 ** 20 })
  const unsent: string[] = []
  document.on("unsent", ({ code, message }) => unsent.push(`${code}: ${message}`))
  // Noise, which deflate leaves as it is.
  const noise = (KiB: number) => Array.from({ length: KiB }, () => crypto.getRandomValues(new Uint8Array(1024)))
  document.doc.getMap("elements").set("photo", noise(900))
  await expect.poll(() => sent.reduce((total, bytes) => total + bytes, 0)).toBeGreaterThan(900 * 1024)
  expect(unsent).toEqual([])
  document.doc.getMap("elements").set("video", noise(1100))
  await expect.poll(() => unsent).toEqual([expect.stringMatching(/^too-large: This change .* 1 MiB/u)])
  document.onView(peersOf("a"), "all", TRANSFER)
  await expect.poll(() => unsent.at(-1)).toMatch(/^too-large: This document .* newcomers/u)
  document.close()
})

test("begins neither a change nor a whole when it is too large", async () => {
  const sent: Uint8Array[] = []
  const send = async (piece: Uint8Array) => (sent.push(piece), "sent" as const)
  const bounds = { bytesMax: 100, wholeBytesMax: 1000 }
  const sender = new PieceSender(bounds)
  const noise = crypto.getRandomValues(new Uint8Array(200))
  expect(await sender.change(noise, send)).toBe("too-large")
  expect(await sender.transfer("ab".repeat(16), () => noise, send)).toBe("too-large")
  // However well it compresses: nobody would inflate it.
  expect(await sender.transfer("ab".repeat(16), () => new Uint8Array(1001), send)).toBe("too-large")
  expect(sent).toEqual([])
  expect(await sender.change(noise.subarray(99), send)).toBe("too-large")
  expect(await sender.change(noise.subarray(100), send)).toBe("sent")
})

test("two large changes at once both arrive", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const large = (letter: string) => Array.from({ length: 20_000 }, (_, i) => `${letter} ${i * 7919}`)
  elements(ada).set("a", large("a"))
  await Promise.resolve()
  elements(ada).set("b", large("b"))
  await expect.poll(() => Object.keys(elements(bob).toJSON()).toSorted()).toEqual(["a", "b"])
})

test("after a partition heals, both sides' changes survive", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  room.network.cut("Ada", "Bob")
  await Promise.all([securedWith(ada, 1), securedWith(bob, 1)])
  elements(ada).set("at Ada's", true)
  elements(bob).set("at Bob's", true)
  room.network.mend("Ada", "Bob")
  const both = { "at Ada's": true, "at Bob's": true }
  await expect.poll(() => contents(ada)).toEqual(both)
  await expect.poll(() => contents(bob)).toEqual(both)
})

test("sends a change of the turn in which its member leaves", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  elements(ada).set("last", true)
  await ada.leave({ forget: false })
  await expect.poll(() => contents(bob)).toEqual({ last: true })
})

test("sends all of a large change of the turn in which its member leaves", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  sendPiecesSlowly()
  const large = new Uint8Array(600_000).fill(7)
  elements(ada).set("last", large)
  await ada.leave()
  await expect.poll(() => Buffer.compare((elements(bob).get("last") as Uint8Array) ?? large.subarray(1), large)).toBe(0)
})

test("a cursor belongs to the member that moves it, and is gone with it", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  const [atAda, atBob] = [ada.document("board"), bob.document("board")]
  atBob.awareness.setLocalState({ pointer: { x: 1, y: 2 } })
  const seen = (): unknown => atAda.awareness.getStates().get(atBob.doc.clientID)
  await expect.poll(seen).toEqual({ pointer: { x: 1, y: 2 } })
  expect(atAda.memberOfClient(atBob.doc.clientID)).toMatchObject({ name: "Bob" })
  await bob.leave()
  await expect.poll(seen).toBeUndefined()
})

test("tells that members left and that it closed though an awareness listener throws", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  const { awareness } = ada.document("board")
  bob.document("board").awareness.setLocalState({ pointer: 1 })
  await expect.poll(() => awareness.getStates().size).toBe(2)
  const reported = reportedErrors()
  const failure = new Error("a bug in the listener")
  awareness.on("change", ({ removed }: { removed: number[] }) => {
    if (removed.length > 0) throw failure
  })
  const told: unknown[] = []
  ada.on("view", ({ members }) => told.push(members.length))
  ada.on("closed", (reason) => told.push(reason))
  await bob.leave()
  await expect.poll(() => told.at(-1)).toBe(1)
  await ada.leave()
  await expect.poll(() => told.at(-1)).toBe("left")
  expect(reported).toEqual([failure, failure])
})

test("sends the next awareness state after one that is no JSON", async () => {
  const sent: unknown[] = []
  const ada = documentOf("a", async (_, { kind }) => (kind === MessageKind.awareness ? sent.push(kind) : []))
  ada.onView(peersOf("ab"), "nothing", TRANSFER)
  await expect.poll(() => sent).toHaveLength(1)
  expect(() => ada.awareness.setLocalState({ x: 1n })).toThrow(TypeError)
  const reported = reportedErrors()
  ada.onView(peersOf("a"), "nothing", TRANSFER)
  await expect.poll(() => reported).toEqual([expect.any(TypeError)])
  ada.awareness.setLocalState({ x: 1 })
  await expect.poll(() => sent).toHaveLength(2)
  ada.close()
})

test("a copied board under another's client id reaches nobody and removes no cursor", async () => {
  const ada = await room.create("Ada")
  const eve = await room.join("Eve", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(eve, 2)])
  const [atAda, atEve] = [ada.document("board"), eve.document("board")]
  const adasClient = atAda.awareness.clientID
  const forger = new Y.Doc()
  forger.clientID = adasClient
  forger.getMap("elements").set("forged", true)
  Y.applyUpdate(atEve.doc, Y.encodeStateAsUpdate(forger))
  elements(eve).set("Eve's", true)
  await expect.poll(() => contents(ada)).toEqual({ "Eve's": true })
  atAda.awareness.setLocalState({ pointer: 1 })
  await expect.poll(() => atEve.awareness.getStates().get(adasClient)).toEqual({ pointer: 1 })
  expect(atEve.memberOfClient(adasClient)).toMatchObject({ name: "Ada" })
  expect(atAda.doc.clientID).toBe(adasClient)
})

test("a board taken from elsewhere under unknown client ids reaches the others", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const template = new Y.Doc()
  template.getMap("elements").set("from a template", true)
  Y.applyUpdate(ada.document("board").doc, Y.encodeStateAsUpdate(template))
  elements(ada).set("drawn on it", true)
  await expect.poll(() => contents(bob)).toEqual({ "from a template": true, "drawn on it": true })
})

test("sends and forgets nothing while no pointer moves", () => {
  vi.useFakeTimers()
  try {
    const sent: string[] = []
    const bob = documentOf("b", async (call) => {
      sent.push(call)
      return []
    })
    bob.onView(peersOf("ab"), "nothing", TRANSFER)
    const ada = documentOf("a")
    ada.awareness.setLocalState({ pointer: "Ada's" })
    const { clientID } = ada.awareness
    const payload = encodeAwarenessUpdate(ada.awareness, [clientID])
    bob.onPayload({ type: "payload", channel: "x", kind: MessageKind.awareness, from: memberOf("a"), payload })
    // Yjs took its clock before it was faked.
    for (const meta of bob.awareness.meta.values()) meta.lastUpdated -= 60_000
    const before = sent.length
    vi.advanceTimersByTime(60_000)
    expect(sent.slice(before)).toEqual([])
    expect(bob.awareness.getStates().get(clientID)).toEqual({ pointer: "Ada's" })
    for (const document of [ada, bob]) document.close()
  } finally {
    vi.useRealTimers()
  }
})

test("a member cannot move another's cursor, nor several at once", async () => {
  const bob = documentOf("b")
  bob.onView(peersOf("abe"), "nothing", TRANSFER)
  const say = (from: string, payload: Uint8Array) => {
    bob.onPayload({ type: "payload", channel: "x", kind: MessageKind.awareness, from: memberOf(from), payload })
  }
  const ada = documentOf("a")
  const eve = documentOf("e")
  ada.awareness.setLocalState({ pointer: "Ada's" })
  eve.awareness.setLocalState({ pointer: "Eve's" })
  const client = ada.awareness.clientID
  const adas = encodeAwarenessUpdate(ada.awareness, [client])
  say("e", adas)
  applyAwarenessUpdate(eve.awareness, adas, null)
  const both = encodeAwarenessUpdate(eve.awareness, [client, eve.awareness.clientID])
  say("e", both)
  expect([...bob.awareness.getStates().keys()]).toEqual([bob.awareness.clientID])
  say("a", adas)
  expect(bob.awareness.getStates().get(client)).toEqual({ pointer: "Ada's" })
  for (const bytes of [both, Uint8Array.of(1, 2)]) expect(singleClient(bytes)).toBeNull()
  for (const document of [ada, bob, eve]) document.close()
})

test("shows a raised hand again when its member returns from a short disconnection", () => {
  const [ada, bob] = [documentOf("a"), documentOf("b")]
  const hands = [ada, bob].map(({ awareness }) => {
    awareness.setLocalState({ hand: true })
    return encodeAwarenessUpdate(awareness, [awareness.clientID])
  })
  const announce = (): void => {
    ada.onPayload({
      type: "payload",
      channel: "x",
      kind: MessageKind.awareness,
      from: memberOf("b"),
      payload: hands[1]!,
    })
    bob.onPayload({
      type: "payload",
      channel: "x",
      kind: MessageKind.awareness,
      from: memberOf("a"),
      payload: hands[0]!,
    })
  }
  const seen = (): unknown[] => [
    ada.awareness.getStates().get(bob.doc.clientID),
    bob.awareness.getStates().get(ada.doc.clientID),
  ]
  const meet = (letters: readonly [string, string]): void => {
    ada.onView(peersOf(letters[0]), "nothing", TRANSFER)
    bob.onView(peersOf(letters[1]), "nothing", TRANSFER)
  }
  meet(["ab", "ab"])
  announce()
  expect(seen()).toEqual([{ hand: true }, { hand: true }])
  meet(["a", "b"])
  expect(seen()).toEqual([undefined, undefined])
  meet(["ab", "ab"])
  announce()
  expect(seen()).toEqual([{ hand: true }, { hand: true }])
  for (const document of [ada, bob]) document.close()
})
