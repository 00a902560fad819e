/** Views that come in the middle of a hand-over: whoever has missed its beginning gets all of it, whoever else hands over. */
import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import type { ConferenceView, Member } from "../../src/api.ts"
import { ConferenceDocument } from "../../src/client/document.ts"
import type { EngineConnection } from "../../src/client/engine-connection.ts"
import { MessageKind } from "../../src/engine/message-kind.ts"

const IDS = { ada: "a".repeat(32), bob: "b".repeat(32), cleo: "c".repeat(32) } as Record<Name, MemberId>
type Name = "ada" | "bob" | "cleo"
const WAIT = { timeout: 60_000 }

/** Documents whose messages reach those who are in one view with their sender, and whoever `holds` none back. */
function company() {
  const parts = new Map<Name, { readonly document: ConferenceDocument; together: readonly Name[] }>()
  const held: (() => void)[] = []
  const sent: Name[] = []
  let holds: (name: Name) => boolean = () => false
  for (const name of ["ada", "bob", "cleo"] as const) {
    const call = async (_: string, params: { kind?: number; payload?: Uint8Array; channel?: string }) => {
      const { kind, payload, channel } = params
      if (payload === undefined || kind === MessageKind.awareness) return []
      if (holds(name)) await new Promise<void>((go) => held.push(go))
      sent.push(name)
      const from = { id: IDS[name], self: false } as Member
      for (const other of parts.get(name)!.together) {
        if (other !== name)
          parts.get(other)!.document.onPayload({ type: "payload", channel: channel!, kind: kind!, from, payload })
      }
      return null
    }
    const view = (): ConferenceView => viewOf(parts.get(name)!.together)
    const document = new ConferenceDocument("board", "c", { call } as unknown as EngineConnection, view)
    parts.set(name, { document, together: [name] })
  }
  const of = (name: Name) => parts.get(name)!
  return {
    elements: (name: Name) => of(name).document.doc.getMap("elements"),
    keys: (name: Name) => Object.keys(of(name).document.doc.getMap("elements").toJSON()).toSorted(),
    /** `told`: what the engine of each tells it to hand over. */
    meet: (told: Partial<Record<Name, "all" | "unfinished" | "nothing">>) => {
      const together = Object.keys(told) as Name[]
      for (const name of together) of(name).together = together
      for (const name of together) of(name).document.onView(viewOf(together), told[name]!)
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

function viewOf(names: readonly Name[]): ConferenceView {
  return { members: names.map((name) => ({ id: IDS[name] })) } as unknown as ConferenceView
}

/** That deflate leaves as it is. */
function noise(KiB: number): Uint8Array {
  const bytes = new Uint8Array(KiB * 1024)
  for (let at = 0; at < bytes.length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  return bytes
}

test("what a member is handing over when others come is handed over to these too, from its beginning", async () => {
  const { elements, keys, meet, hold, held, sentBy, release, close } = company()
  elements("bob").set("drawn alone", noise(100))
  await expect.poll(() => sentBy("bob"), WAIT).toBe(2)
  elements("ada").set("at Ada's", 1)
  // Ada and Bob meet: each has something. Of Bob's the second piece is still to go when they meet Cleo.
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

test("what a member has been handed is part of what it hands over in the next view, even if it is still being unpacked", async () => {
  const { elements, keys, meet, hold, held, sentBy, close } = company()
  elements("bob").set("drawn alone", noise(20))
  await expect.poll(() => sentBy("bob"), WAIT).toBe(1)
  hold((name) => name === "bob")
  meet({ ada: "nothing", bob: "all" })
  await expect.poll(() => held.length, WAIT).toBe(1)
  held.shift()!()
  // Bob's comes as a whole, and the view right behind it.
  while (sentBy("bob") === 1) await Promise.resolve()
  meet({ ada: "all", bob: "nothing", cleo: "nothing" })
  await expect.poll(() => keys("cleo"), WAIT).toEqual(["drawn alone"])
  close()
})

test("without anybody new, a hand-over goes on where it was", async () => {
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
