// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { Knocks } from "../../src/hosts/Knocks.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

vi.mock("../../src/hosts/KnockAnswers.tsx", () => ({ KnockAnswers: () => null }))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => act(() => root.render(null)))
const knock = (id: string) => ({ id, name: id, messages: [] })
const fields = (): string[] => [...page.querySelectorAll("input")].map(({ value }) => value)

function type(text: string, at = 0): void {
  const field = page.querySelectorAll("input")[at]!
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, text)
    field.dispatchEvent(new Event("input", { bubbles: true }))
  })
}

it("keeps what a host writes to each waiting person while another panel is shown", () => {
  const admission = store({ knocks: ["eve", "mallory"].map(knock) })
  const session = { admission, lobbyDrafts: store(new Map<string, string>()) } as unknown as Session
  const show = (): void => act(() => root.render(<Knocks session={session} />))
  show()
  for (const [at, text] of ["one moment", "who are you?"].entries()) type(text, at)
  act(() => root.render(null))
  show()
  expect(fields()).toEqual(["one moment", "who are you?"])

  act(() => admission.set({ knocks: [knock("mallory")] }))
  expect(fields()).toEqual(["who are you?"])
})

it("keeps the text to somebody who has come while another one was being sent", async () => {
  let sent = (): void => undefined
  const handle = { sendLobbyMessage: () => new Promise<void>((resolve) => (sent = resolve)) }
  const admission = store({ knocks: [knock("eve")] })
  const session = { admission, handle, lobbyDrafts: store(new Map([["eve", "one moment"]])) } as unknown as Session
  act(() => root.render(<Knocks session={session} />))
  act(() => page.querySelector("form")!.requestSubmit())
  act(() => admission.set({ knocks: ["eve", "mallory"].map(knock) }))
  act(() => session.lobbyDrafts.set(new Map(session.lobbyDrafts.get()).set("mallory", "who are you?")))
  await act(async () => sent())
  expect(fields()).toEqual(["", "who are you?"])
})

/** A host that writes to Eve. Each line is sent, or fails, when the test says so. */
function writingToEve() {
  const lines: { text: string; sent: () => void; fail: (error: Error) => void }[] = []
  const sendLobbyMessage = (text: string) =>
    new Promise<void>((sent, fail) => void lines.push({ text, sent: () => sent(), fail }))
  const admission = store({ knocks: [knock("eve")] })
  const lobbyDrafts = store(new Map([["eve", "one moment"]]))
  const session = { admission, handle: { sendLobbyMessage }, lobbyDrafts } as unknown as Session
  act(() => root.render(<Knocks session={session} />))
  const submit = (): void => act(() => page.querySelector("form")!.requestSubmit())
  submit()
  return { lines, submit }
}

it("keeps what is typed while a line is being sent, and sends that line once", async () => {
  const { lines, submit } = writingToEve()
  expect(fields()).toEqual([""])
  type("who are")
  submit()
  await act(async () => lines[0]!.sent())
  expect(fields()).toEqual(["who are"])
  expect(lines.map(({ text }) => text)).toEqual(["one moment"])
  submit()
  expect(lines.map(({ text }) => text)).toEqual(["one moment", "who are"])
})

it.each([
  ["puts a line back when it could not be sent", "", "one moment"],
  ["puts it before what was typed since when it could not be sent", "who are", "one moment who are"],
  ["keeps as much of both as the field takes", "x".repeat(250), `one moment ${"x".repeat(239)}`],
])("%s", async (_, typed, kept) => {
  const { lines } = writingToEve()
  type(typed)
  await act(async () => lines[0]!.fail(new Error("offline")))
  expect(fields()).toEqual([kept])
  expect(page.querySelector("[role=alert]")!.textContent).toContain("This was not sent.")
})
