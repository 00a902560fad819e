/**
 * View changes during a history transfer: a member that missed its beginning gets all of it, whichever member sends
 * another.
 */
import { expect, test } from "vitest"
import * as Y from "yjs"
import type { ConferenceDocument } from "../../../src/client/documents/document.ts"
import { newTransfers } from "../../../src/client/documents/document-transfers.ts"
import { MessageKind } from "../../../src/multicast/message-kind.ts"
import { transferIn } from "../../../src/history/arrivals.ts"
import { awaiting, documentOf, idOf, memberOf, peersOf, TRANSFER } from "./documents.ts"

const LETTERS = { ada: "a", bob: "b", cleo: "c" }
type Name = "ada" | "bob" | "cleo"
type Together = { together: readonly Name[] }
const WAIT = { timeout: 60_000 }

/** Documents whose messages reach the members of the sender's view; `holds` delays a sender's. */
function company() {
  const parts = new Map<Name, { document: ConferenceDocument; transfers: ReturnType<typeof newTransfers> } & Together>()
  let views = 0
  const held: (() => void)[] = []
  const sent: Name[] = []
  let holds: (name: Name) => boolean = () => false
  for (const name of ["ada", "bob", "cleo"] as const) {
    const call = async (_: string, params: { kind?: number; payload?: Uint8Array; channel?: string }) => {
      const { kind, payload, channel } = params
      if (payload === undefined || kind === MessageKind.awareness) return []
      if (holds(name)) await new Promise<void>((go) => held.push(go))
      sent.push(name)
      const from = memberOf(LETTERS[name])
      for (const other of parts.get(name)!.together) {
        if (other !== name)
          parts.get(other)!.document.onPayload({ type: "payload", channel: channel!, kind: kind!, from, payload })
      }
      return null
    }
    const transfers = newTransfers()
    const document = documentOf(LETTERS[name], call, { transfers })
    parts.set(name, { document, transfers, together: [name] })
  }
  const of = (name: Name) => parts.get(name)!
  return {
    elements: (name: Name) => of(name).document.doc.getMap("elements"),
    keys: (name: Name) => Object.keys(of(name).document.doc.getMap("elements").toJSON()).toSorted(),
    /** `told`: what the engine of each tells it to hand over. */
    meet: (told: Partial<Record<Name, "all" | "unfinished" | "nothing">>) => {
      const together = Object.keys(told) as Name[]
      const id = `${++views}`.padStart(32, "0").padEnd(64, "0")
      const present = together.map((name) => idOf(LETTERS[name]))
      for (const name of together) {
        const { transfers, together: before } = of(name)
        const newcomers = together.filter((other) => !before.includes(other)).map((other) => idOf(LETTERS[other]))
        transfers.arrivals.onView(
          { view: { id, epoch: views }, present, newcomers, transitional: [], awaited: newcomers },
          0,
        )
        of(name).together = together
      }
      for (const name of together) of(name).document.onView(viewOf(together), told[name]!, transferIn(id))
    },
    hold: (which: (name: Name) => boolean) => void (holds = which),
    held,
    /** How many messages of its own have left. */
    sentBy: (name: Name) => sent.filter((each) => each === name).length,
    release: () => {
      holds = () => false
      for (const go of held.splice(0)) go()
    },
    close: () => parts.forEach(({ document }) => document.close()),
  }
}

function viewOf(names: readonly Name[]) {
  return peersOf(names.map((name) => LETTERS[name]).join(""))
}

/** That deflate leaves as it is. */
function noise(KiB: number): Uint8Array {
  const bytes = new Uint8Array(KiB * 1024)
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

test("members that join during a history transfer get it from the beginning too", async () => {
  const { elements, keys, meet, hold, held, sentBy, release, close } = company()
  elements("bob").set("drawn alone", noise(100))
  await expect.poll(() => sentBy("bob"), WAIT).toBe(2)
  elements("ada").set("at Ada's", 1)
  // Ada and Bob meet, each with content. Bob's second piece is still to be sent when they meet Cleo.
  let pieces = 0
  hold((name) => name === "bob" && ++pieces > 1)
  meet({ ada: "all", bob: "all" })
  await expect.poll(() => held.length, WAIT).toBe(1)
  meet({ ada: "all", bob: "unfinished", cleo: "all" })
  release()
  for (const name of ["ada", "bob", "cleo"] as const)
    await expect.poll(() => keys(name), WAIT).toEqual(["at Ada's", "drawn alone"])
  close()
})

test("passes on a received document in the next view, even while unpacking it", async () => {
  const { elements, keys, meet, hold, held, sentBy, close } = company()
  elements("bob").set("drawn alone", noise(20))
  await expect.poll(() => sentBy("bob"), WAIT).toBe(1)
  hold((name) => name === "bob")
  meet({ ada: "nothing", bob: "all" })
  await expect.poll(() => held.length, WAIT).toBe(1)
  held.shift()!()
  // Bob's part arrives whole, directly followed by the view without him. While he is present, only he transfers his
  // part.
  while (sentBy("bob") === 1) await Promise.resolve()
  meet({ ada: "all", cleo: "nothing" })
  await expect.poll(() => keys("cleo"), WAIT).toEqual(["drawn alone"])
  close()
})

test("continues a transfer where it was when nobody new comes", async () => {
  const { elements, keys, meet, hold, held, sentBy, release, close } = company()
  elements("bob").set("drawn alone", noise(100))
  await expect.poll(() => sentBy("bob"), WAIT).toBe(2)
  let pieces = 0
  hold((name) => name === "bob" && ++pieces === 2)
  meet({ ada: "nothing", bob: "all" })
  await expect.poll(() => held.length, WAIT).toBe(1)
  meet({ ada: "nothing", bob: "nothing" })
  release()
  await expect.poll(() => keys("ada"), WAIT).toEqual(["drawn alone"])
  expect(sentBy("bob")).toBe(4)
  close()
})

test("transfers each member's own part, though the parts build on each other", async () => {
  const { elements, keys, meet, close } = company()
  meet({ ada: "nothing", bob: "nothing" })
  // By turns over the same key, so that each one's part has its past in the other's.
  for (let i = 0; i < 6; i++) {
    elements(i % 2 === 0 ? "ada" : "bob").set("both", i)
    await expect.poll(() => elements(i % 2 === 0 ? "bob" : "ada").get("both"), WAIT).toBe(i)
  }
  meet({ ada: "all", bob: "unfinished", cleo: "all" })
  await expect.poll(() => elements("cleo").get("both"), WAIT).toBe(5)
  expect(keys("cleo")).toEqual(["both"])
  close()
})

/** Jo's document, whose copy holds a drawing of her earlier incarnation, beside three others. */
function restoredBy(scope: "all" | "nothing") {
  const before = documentOf("d")
  before.doc.getMap("elements").set("alone", 1)
  const record = Y.encodeStateAsUpdate(before.doc)
  const bob = documentOf("b", undefined, { transfers: awaiting("d") })
  const kinds: number[] = []
  const jo = documentOf(
    "d",
    async (name, { kind, payload, channel }) => {
      if (name === "copy.read") return [record]
      if (payload === undefined) return true
      if (kind !== MessageKind.awareness && kind !== MessageKind.documentDigest) kinds.push(kind!)
      bob.onPayload({ type: "payload", channel: channel!, kind: kind!, from: memberOf("d"), payload })
      return null
    },
    { incarnation: 2 },
  )
  const peers = peersOf("abc").concat({ id: idOf("d"), incarnation: 2, writes: true })
  for (const document of [bob, jo]) document.onView(peers, document === jo ? scope : "nothing", TRANSFER)
  return { bob, kinds, close: () => [jo, bob, before].forEach((document) => document.close()) }
}

test.each([
  ["a document is opened late", "nothing", MessageKind.documentChange],
  ["it sends its whole state anyway", "all", MessageKind.documentChunk],
] as const)("sends what only its copy holds once when %s", async (_, scope, kind) => {
  const { bob, kinds, close } = restoredBy(scope)
  await expect.poll(() => bob.doc.getMap("elements").toJSON(), WAIT).toEqual({ alone: 1 })
  expect(kinds).toEqual([kind])
  close()
})
