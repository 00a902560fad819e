// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { beforeAll, expect, it, vi } from "vitest"
import { Knocks } from "../../src/hosts/Knocks.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

vi.mock("../../src/hosts/KnockAnswers.tsx", () => ({ KnockAnswers: () => null }))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
const knock = (id: string) => ({ id, name: id, messages: [] })
const fields = (): string[] => [...page.querySelectorAll("input")].map(({ value }) => value)

it("keeps what a host writes to each waiting person while another panel is shown", () => {
  const admission = store({ knocks: ["eve", "mallory"].map(knock) })
  const session = { admission, lobbyDrafts: store(new Map<string, string>()) } as unknown as Session
  const show = (): void => act(() => root.render(<Knocks session={session} />))
  show()
  for (const [at, text] of ["one moment", "who are you?"].entries()) {
    const field = page.querySelectorAll("input")[at]!
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, text)
      field.dispatchEvent(new Event("input", { bubbles: true }))
    })
  }
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
