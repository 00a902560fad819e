// @vitest-environment jsdom
import { Directory, type DirectoryHandle, type DirectoryPage, KeymootError, type ListedPerson } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { FindPeople } from "../../src/directory/FindPeople.tsx"
import { startI18n } from "../../src/i18n/index.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
type Find = (name: string, options?: { readonly after?: string }) => Promise<DirectoryPage<ListedPerson>>
const find = vi.fn<Find>()

beforeEach(() => {
  find.mockReset()
  const handle = { find, close: () => undefined } as unknown as DirectoryHandle
  vi.spyOn(Directory, "open").mockImplementation(async () => handle)
  act(() => root.render(<FindPeople onCard={() => undefined} />))
})
afterEach(() => {
  act(() => root.render(null))
  vi.restoreAllMocks()
})

const listed = (name: string): ListedPerson => ({ name, fingerprint: name, standing: "new", card: null }) as never
const names = (): (string | null)[] => [...page.querySelectorAll("li bdi")].map(({ textContent }) => textContent)
const button = (name: string): HTMLButtonElement =>
  [...page.querySelectorAll("button")].find(({ textContent }) => textContent!.trim() === name)!
function press(name: string): Promise<void> {
  button(name).focus()
  return act(async () => button(name).click())
}
const status = (): string => page.querySelector("[role=status]")!.textContent!
function type(text: string): void {
  const field = page.querySelector("input")!
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field, text)
    field.dispatchEvent(new Event("input", { bubbles: true }))
  })
}

it("shows more people of the listed name when the field has changed", async () => {
  find.mockResolvedValueOnce({ entries: [listed("Ada")], next: "cursor" })
  type("Ada")
  await press("Search")
  type("Bob")
  find.mockResolvedValueOnce({ entries: [listed("Ada Lovelace")], next: null })
  await press("Show more")
  expect(find).toHaveBeenLastCalledWith("Ada", { after: "cursor" })
  expect(names()).toEqual(["Ada", "Ada Lovelace"])
  find.mockResolvedValueOnce({ entries: [listed("Bob")], next: null })
  await press("Search")
  expect(find).toHaveBeenLastCalledWith("Bob", {})
  expect(names()).toEqual(["Bob"])
})

it("searches once when Enter is pressed twice", async () => {
  find.mockReturnValue(new Promise(() => undefined))
  type("Ada")
  const enter = (): Promise<void> =>
    act(
      async () =>
        void page.querySelector("input")!.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true })),
    )
  await enter()
  await enter()
  expect(find).toHaveBeenCalledOnce()
})

it("keeps the focus on Search while it searches, and searches only once", async () => {
  find.mockReturnValue(new Promise(() => undefined))
  type("Ada")
  await press("Search")
  await press("Search")
  expect(find).toHaveBeenCalledOnce()
  expect([document.activeElement, button("Search").disabled]).toEqual([button("Search"), false])
  expect(status()).toBe("One moment…")
})

it("moves the focus to the list when the last people are shown", async () => {
  find.mockResolvedValueOnce({ entries: [listed("Ada")], next: "cursor" })
  type("Ada")
  await press("Search")
  find.mockResolvedValueOnce({ entries: [listed("Ada Lovelace")], next: null })
  await press("Show more")
  expect(document.activeElement).toBe(page.querySelector("ul"))
})

it("moves the focus from Retry to Search when the server has answered", async () => {
  find.mockRejectedValueOnce(new KeymootError("server-unreachable", ""))
  type("Ada")
  await press("Search")
  find.mockResolvedValueOnce({ entries: [], next: null })
  await press("Retry")
  expect(document.activeElement).toBe(button("Search"))
})
