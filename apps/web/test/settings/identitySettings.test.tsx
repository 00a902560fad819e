// @vitest-environment jsdom
import { Identities, KeymootError, type StoredIdentity } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { startI18n } from "../../src/i18n/index.ts"
import { IdentitySettings } from "../../src/settings/IdentitySettings.tsx"

vi.mock("../../src/directory/LazyDirectory.tsx", () => ({ LazyDirectoryEntry: () => null }))
vi.mock("../../src/ui/save.ts", () => ({ save: () => undefined }))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)

const identity = (name: string, chosen: boolean): StoredIdentity => ({
  id: name,
  name,
  publicKey: "a1b2".repeat(16),
  chosen,
  certifications: [],
})
const device = {
  list: vi.fn(),
  choose: vi.fn(),
  certificateRequest: vi.fn(),
  remove: vi.fn(),
  create: vi.fn(),
  rename: vi.fn(),
  close: () => undefined,
}
const onIdentity = vi.fn()

beforeEach(async () => {
  device.list.mockReset().mockResolvedValue([identity("Ada", true), identity("Bob", false)])
  device.choose.mockReset().mockResolvedValue(undefined)
  device.certificateRequest.mockReset().mockResolvedValue("")
  device.remove.mockReset().mockResolvedValue(undefined)
  device.rename.mockReset().mockResolvedValue(undefined)
  device.create.mockReset().mockResolvedValue({ backup: null })
  onIdentity.mockReset()
  vi.spyOn(Identities, "open").mockResolvedValue(device as unknown as Identities)
  await act(async () => root.render(<IdentitySettings onIdentity={onIdentity} />))
})
afterEach(() => {
  act(() => root.render(null))
  vi.restoreAllMocks()
})

const button = (name: string): HTMLButtonElement =>
  [...page.querySelectorAll("button")].find(({ textContent }) => textContent === name)!
const press = (name: string): Promise<void> => {
  button(name).focus()
  return act(async () => button(name).click())
}

it("says what goes with an identity when a person removes it", async () => {
  await press("Remove this identity")
  expect(page.textContent).toContain("The chats, boards and files of its conferences are deleted from this device too.")
  expect(page.textContent).toContain("A backup does not hold them")
})

it("reports another identity when the person has chosen one, and not after a request", async () => {
  await press("Save a request")
  expect(device.certificateRequest).toHaveBeenCalledOnce()
  expect(onIdentity).not.toHaveBeenCalled()
  device.list.mockResolvedValue([identity("Ada", false), identity("Bob", true)])
  await act(async () => page.querySelectorAll<HTMLInputElement>("input[type=radio]")[1]!.click())
  expect(onIdentity).toHaveBeenCalledOnce()
})

const radios = (): HTMLInputElement[] => [...page.querySelectorAll<HTMLInputElement>("input[type=radio]")]

it("leaves the focus on an identity while it is chosen, and takes no other one", async () => {
  let chosen = () => undefined as void
  device.choose.mockReturnValue(new Promise<void>((resolve) => (chosen = resolve)))
  const [ada, bob] = radios()
  bob!.focus()
  await act(async () => bob!.click())
  expect(bob!.matches(":disabled")).toBe(false)
  expect(document.activeElement).toBe(bob)
  await act(async () => ada!.click())
  expect(device.choose).toHaveBeenCalledOnce()
  device.list.mockResolvedValue([identity("Ada", false), identity("Bob", true)])
  await act(async () => chosen())
  expect([document.activeElement, bob!.checked]).toEqual([bob, true])
})

it("asks with the focus on the safe answer before an identity is removed", async () => {
  await press("Remove this identity")
  expect(document.activeElement).toBe(button("Keep"))
  const question = document.activeElement!.closest("[role=group]")!
  expect(document.getElementById(question.getAttribute("aria-labelledby")!)!.textContent).toContain("Remove Ada")
  await press("Keep")
  expect(document.activeElement).toBe(button("Remove this identity"))
})

it("moves the focus to the identities that are left when one is removed", async () => {
  await press("Remove this identity")
  device.list.mockResolvedValue([identity("Bob", true)])
  await press("Remove")
  expect(device.remove).toHaveBeenCalledWith("Ada")
  expect(document.activeElement?.textContent).toMatch(/^My identityBob/u)
})

const field = (label: string): HTMLInputElement =>
  [...page.querySelectorAll("label")].find(({ textContent }) => textContent === label)!.control as HTMLInputElement
const type = (label: string, text: string): void =>
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field(label), text)
    field(label).dispatchEvent(new Event("input", { bubbles: true }))
  })

it("says what to do when the device keeps no more identities, in the form that asked", async () => {
  device.create.mockRejectedValue(new KeymootError("too-large", ""))
  type("Name", "Eve")
  await press("Create identity")
  const said = button("Create identity").closest("details")!.querySelector("[role=alert]")!.textContent
  expect(said).toBe("This device cannot keep more identities. Remove one of them, then try again.")
})

it("says below the question why an identity cannot be removed", async () => {
  await press("Remove this identity")
  device.remove.mockRejectedValue(new KeymootError("already-open", ""))
  await press("Remove")
  const alert = page.querySelector("[role=alert]")!
  const said = "This identity is in a conference, perhaps in another tab. Leave the conference first."
  expect(alert.textContent).toBe(said)
  expect(page.querySelector(".forget-step")!.nextElementSibling).toBe(alert)
  await press("Keep")
  await press("Save a request")
  expect(page.querySelector("[role=alert]")).toBeNull()
})

it("keeps the reason in the form of a name that is refused", async () => {
  device.rename.mockRejectedValue(new KeymootError("invalid-argument", ""))
  type("Name of this identity", "Ada L.")
  await press("Rename")
  expect(button("Rename").closest("form")!.nextElementSibling!.textContent).toContain("The name or a setting")
})
