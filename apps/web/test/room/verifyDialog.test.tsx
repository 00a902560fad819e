// @vitest-environment jsdom
import { type ErrorCode, KeymootError } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import VerifyDialog from "../../src/people/VerifyDialog.tsx"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

const button = (name: string): HTMLElement =>
  [...document.querySelectorAll<HTMLElement>(".actions button")].find(({ textContent }) => textContent === name)!
const press = (name: string): Promise<void> => {
  button(name).focus()
  return act(async () => button(name).click())
}

async function compare(verified: boolean, refusal: ErrorCode | null = null): Promise<void> {
  const bob = (isVerified: boolean) => ({ id: "bob", name: "Bob", verified: isVerified, changedKey: false })
  const view = store({ members: [bob(verified)] })
  const mark = async (isVerified: boolean): Promise<void> => {
    if (refusal !== null) throw new KeymootError(refusal, "")
    view.set({ members: [bob(isVerified)] })
  }
  const handle = {
    pairCode: async () => ({ digits: "12345 67890", words: [], scannable: "" }),
    verify: () => mark(true),
    unverify: () => mark(false),
  }
  const session = { handle, view, verifying: store<string | null>("bob") } as unknown as Session
  await act(async () => root.render(<VerifyDialog session={session} />))
}

it.each([
  ["They are the same", false, "Withdraw the verification"],
  ["Withdraw the verification", true, "They are the same"],
  ["They differ", false, "Compare again"],
])("moves the focus off the buttons when %s is pressed", async (pressed, verified, shown) => {
  await compare(verified)
  await press(pressed)
  expect(button(shown)).toBeDefined()
  await expect.poll(() => document.activeElement?.role).toBe("dialog")
})

it.each([
  [
    "too-large",
    "You cannot verify more people. First withdraw the verification of somebody who is with you in this conference or in another one.",
  ],
  ["storage-unavailable", "This could not be stored on this device, so it does not count."],
] as const)("says what to do when a verification fails with %s", async (code, advice) => {
  await compare(false, code)
  await press("They are the same")
  expect(document.querySelector(".field-error")!.textContent).toContain(advice)
})
