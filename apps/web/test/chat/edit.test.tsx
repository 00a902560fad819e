// @vitest-environment jsdom
import type { ChannelMessage, ConferenceHandle, Role } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { MessageItem } from "../../src/chat/items/MessageItem.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import { openMarking } from "../../src/session/marking.ts"
import type { Entry } from "../../src/session/order.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => act(() => root.render(null)))

const ADA = { id: "ada", name: "Ada", self: true }
const MESSAGE = { id: "m1", from: ADA, text: "The rof", transferred: null, sentAtMs: 0 } as unknown as ChannelMessage

function open(role: Role = "editor") {
  const refusals: ((error: Error) => void)[] = []
  const nothing = (): void => undefined
  const channel = { on: nothing, send: () => new Promise((_, reject) => refusals.push(reject)) }
  const handle = { self: ADA, channel: () => channel } as unknown as ConferenceHandle
  let held = 0
  const hold = () => {
    held++
    return () => held--
  }
  const transcript = store<readonly Entry[]>([{ kind: "message", id: MESSAGE.id, message: MESSAGE }])
  const told = { transcript, channelOf: () => channel as never, invalid: nothing, shownMembers: () => [], hold }
  const marking = openMarking(handle, told, new AbortController().signal)
  const session = {
    ...marking,
    holdUnsent: hold,
    handle,
    view: store({ members: [{ ...ADA, role }] }),
    viewerReactions: store(new Map()),
    aloneSince: store(null),
    colours: store(new Map()),
  } as unknown as Session
  return {
    held: () => held,
    sent: () => refusals.length,
    refuse: () => act(async () => refusals.at(-1)!(new Error("not sent"))),
    show: () => act(() => root.render(<MessageItem message={MESSAGE} replyTo={null} session={session} />)),
    hide: () => act(() => root.render(null)),
  }
}

const field = (): HTMLTextAreaElement | null => page.querySelector("textarea")
const press = (selector: string): Promise<void> =>
  act(async () => document.querySelector<HTMLButtonElement>(selector)!.click())
async function type(text: string): Promise<void> {
  await press(".message-more")
  await press(".menu-item:has(.lucide-pencil)")
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")!.set!.call(field(), text)
    field()!.dispatchEvent(new Event("input", { bubbles: true }))
  })
}

it("shows the typed change again after the chat was closed and opened", async () => {
  const { show, hide, held } = open()
  show()
  await type("The roof")
  expect(document.activeElement).toBe(field())
  hide()
  expect(held(), "Leave asks").toBe(1)
  show()
  expect(field()?.value).toBe("The roof")
  expect(document.activeElement, "the tab keeps the focus").toBe(document.body)
})

it("holds the person while a change is sent and the chat is closed", async () => {
  const { show, hide, held } = open()
  show()
  await type("The roof")
  await act(async () => field()!.form!.requestSubmit())
  hide()
  expect(held()).toBe(1)
})

it("keeps the focus while the change is sent, and gives it back at the end", async () => {
  const { show, refuse } = open()
  show()
  await type("The roof")
  await act(async () => field()!.form!.requestSubmit())
  await refuse()
  expect(page.querySelector("[role=alert]")).not.toBeNull()
  expect(document.activeElement).toBe(field())
  act(() => void field()!.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })))
  expect(field()).toBeNull()
  expect(document.activeElement).toBe(page.querySelector(".message-more"))
})

it("sends a change once when it is submitted twice", async () => {
  const { show, sent } = open()
  show()
  await type("The roof")
  await act(async () => field()!.form!.requestSubmit())
  expect(field()!.readOnly).toBe(true)
  await act(async () => field()!.form!.requestSubmit())
  expect(sent()).toBe(1)
})

it.each([
  ["editor", ["Reply", "Copy text", "Edit", "Delete"]],
  ["viewer", ["Copy text"]],
] as const)("offers for an own message what works when its author is now: %s", async (role, offered) => {
  open(role).show()
  await press(".message-more")
  const items = [...document.querySelectorAll(".menu-item")]
  expect(items.map((item) => item.textContent.trim())).toEqual(offered)
})
