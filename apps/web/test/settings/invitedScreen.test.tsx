// @vitest-environment jsdom
import { Conference, type ConferencePreview } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import type { Problem } from "../../src/problem.ts"
import { InvitedScreen } from "../../src/screens/EnterScreen.tsx"

vi.mock("../../src/conference/lazyConference.ts", () => ({ prefetchConference: async () => undefined }))
vi.mock("../../src/board/lazyBoard.ts", () => ({ prefetchBoard: () => undefined }))
vi.mock("../../src/settings/SettingsButton.tsx", () => ({
  SettingsButton: ({ onIdentity }: { readonly onIdentity: () => void }) => (
    <button type="button" onClick={onIdentity}>
      Choose another identity
    </button>
  ),
}))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)

afterEach(() => act(() => root.render(null)))

const arrival = { kind: "invitation", id: "meeting", url: "https://there.example/c/meeting#key" } as const
const preview = vi.spyOn(Conference, "preview")
function sentBy(verified: boolean, policy: "link" | "roster" = "link"): void {
  const creator = { name: "Bob", self: false, verified, changedKey: false }
  const about = { title: "", timeFrame: { endsAtMs: 0 }, admission: { policy, people: [] }, endedAtMs: null }
  preview.mockResolvedValue({ ...about, history: "everything", creator } as unknown as ConferencePreview)
}

const on = { onJoin: vi.fn(), onFinal: vi.fn(), onInstead: vi.fn(), onIdentity: vi.fn() }
const show = (lastName: string, problem: Problem | null = null): Promise<void> =>
  act(async () => root.render(<InvitedScreen arrival={arrival} problem={problem} lastName={lastName} {...on} />))
const button = (name: string): HTMLButtonElement | undefined =>
  [...page.querySelectorAll("button")].find((one) => one.textContent === name)
const chooseAnother = (): Promise<void> => act(async () => button("Choose another identity")!.click())

it("shows an invited person what another identity knows of the sender, and its name", async () => {
  sentBy(false)
  await show("Ada")
  expect(page.textContent).toContain("Not verified")
  const input = page.querySelector("input")!
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(input, "Dan")
    input.dispatchEvent(new Event("input", { bubbles: true }))
  })
  sentBy(true)
  await chooseAnother()
  expect(on.onIdentity).toHaveBeenCalledOnce()
  await show("Eve")
  expect(page.textContent).not.toContain("Not verified")
  expect(input.value).toBe("Eve")
})

it("offers Join again when a person not on the guest list chooses another identity", async () => {
  sentBy(false, "roster")
  await show("Ada", "not-admitted")
  expect([button("Copy my card"), button("Join")]).toEqual([expect.anything(), undefined])
  await chooseAnother()
  expect([button("Copy my card"), button("Join")]).toEqual([undefined, expect.anything()])
  expect(page.querySelector("[role=alert]")).toBeNull()
})
