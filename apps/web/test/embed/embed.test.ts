import { expect, it } from "vitest"
import { openParent } from "../../src/embed/parent.ts"
import { embedOriginsOf, type EmbedState, messagesBetween } from "../../src/embed/protocol.ts"

const SHOP = "https://shop.example"
const HELLO = { keymoot: 1, type: "hello" }
const INSIDE: EmbedState = { at: "inside", people: 2, security: "encrypted", verified: 0 }

function openFrame(origins: readonly string[] = [SHOP]) {
  const posted: (readonly [unknown, string])[] = []
  const parent = { postMessage: (message: unknown, origin: string) => void posted.push([message, origin]) }
  const events = new EventTarget()
  const greeted: string[] = []
  const frame = {
    parent,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
  }
  const open = openParent(frame as unknown as Parameters<typeof openParent>[0], origins, (origin) =>
    greeted.push(origin),
  )
  const receive = (data: unknown, origin: string, source: unknown = parent) =>
    events.dispatchEvent(Object.assign(new Event("message"), { data, origin, source }))
  return { posted, greeted, receive, ...open }
}

it.each([
  ["another origin", HELLO, "https://evil.example", undefined],
  ["an opaque origin", HELLO, "null", undefined],
  ["another window of the allowed origin", HELLO, SHOP, {}],
  ["a forged command", { keymoot: 1, type: "leave" }, SHOP, undefined],
  ["another version", { keymoot: 2, type: "hello" }, SHOP, undefined],
  ["no object", "hello", SHOP, undefined],
])("tells nothing after a message from %s", (_case, data, origin, source) => {
  const { posted, greeted, receive, show } = openFrame()
  receive(data, origin, source)
  show(INSIDE)
  expect(posted).toEqual([[{ keymoot: 1, type: "ready" }, SHOP]])
  expect(greeted).toEqual([])
})

it("tells the origin that said hello what happens, and no other", () => {
  const { posted, greeted, receive, show } = openFrame(["https://school.example", SHOP])
  receive(HELLO, SHOP)
  show(INSIDE)
  show({ ...INSIDE, people: 3 })
  show({ at: "ended", reason: "removed" })
  expect(greeted).toEqual([SHOP])
  expect(posted.slice(2)).toEqual(
    [
      { type: "joined" },
      { type: "people", count: 2 },
      { type: "security", state: "encrypted", verified: 0 },
      { type: "people", count: 3 },
      { type: "ended", reason: "removed" },
    ].map((message) => [{ keymoot: 1, ...message }, SHOP]),
  )
  expect(posted.map(([, origin]) => origin)).not.toContain("*")
})

it("tells a parent that comes later the state in full", () => {
  const { posted, receive, show } = openFrame()
  show(INSIDE)
  receive(HELLO, SHOP)
  expect(posted.map(([message]) => (message as { type: string }).type)).toEqual([
    "ready",
    "joined",
    "people",
    "security",
  ])
})

it("repeats nothing when nothing has changed", () => {
  expect(messagesBetween(INSIDE, { ...INSIDE })).toEqual([])
  expect(messagesBetween({ at: "outside" }, { at: "outside" })).toEqual([])
  expect(messagesBetween(INSIDE, { at: "outside" })).toEqual([{ type: "left" }])
})

it.each([
  [
    "default-src 'self'; frame-ancestors https://shop.example http://localhost:8000; form-action 'none'",
    [SHOP, "http://localhost:8000"],
  ],
  ["frame-ancestors 'none'", []],
  ["frame-ancestors *", []],
  ["frame-ancestors 'self'", []],
  ["default-src https://shop.example", []],
  [null, []],
])("turns the policy %j into the origins %j", (policy, origins) => {
  expect(embedOriginsOf(policy)).toEqual(origins)
})
