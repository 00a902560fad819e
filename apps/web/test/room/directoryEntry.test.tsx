// @vitest-environment jsdom
import { Directory, type DirectoryHandle, Identity, KeymootError, type StoredIdentity } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { DirectoryEntry } from "../../src/directory/DirectoryEntry.tsx"
import { startI18n } from "../../src/i18n/index.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
const server = { publishedName: vi.fn(), publish: vi.fn(), withdraw: vi.fn(), close: () => undefined }

beforeEach(() => {
  for (const each of [server.publishedName, server.publish, server.withdraw]) each.mockReset().mockResolvedValue(null)
  vi.spyOn(Directory, "open").mockResolvedValue(server as unknown as DirectoryHandle)
  vi.spyOn(Identity, "open").mockResolvedValue({ close: async () => undefined } as unknown as Identity)
})
afterEach(() => {
  act(() => root.render(null))
  vi.restoreAllMocks()
})

const button = (name: string): HTMLButtonElement | undefined =>
  [...page.querySelectorAll("button")].find(({ textContent }) => textContent === name)
function press(name: string): Promise<void> {
  button(name)!.focus()
  return act(async () => button(name)!.click())
}
const status = (): string => page.querySelector("[role=status]")!.textContent!
/** The next answer of the server waits until the returned function is called. */
function hold(request: typeof server.publish): () => Promise<void> {
  let resolve = () => undefined as void
  request.mockReturnValue(new Promise<null>((done) => (resolve = () => done(null))))
  return () => act(async () => resolve())
}

async function unfold(name: string): Promise<void> {
  act(() => root.render(<DirectoryEntry identity={{ id: "1", name } as StoredIdentity} />))
  await act(async () => {
    const details = page.querySelector("details")!
    details.open = true
    details.dispatchEvent(new Event("toggle"))
  })
}

it("says that the server is not believed when it lists another certificate", async () => {
  server.publishedName.mockRejectedValue(new KeymootError("certificate-mismatch", ""))
  await unfold("Ada")
  expect(page.querySelector("[role=alert]")!.textContent).toMatch(
    /^This server says that another certificate is yours/u,
  )
  expect(page.textContent).not.toContain("Others find you as")
  await press("Take me out of the directory")
  expect(server.withdraw).toHaveBeenCalledOnce()
  expect(page.querySelector("[role=alert]")).toBeNull()
})

it("shows a renamed person the former name, and takes it out of the directory", async () => {
  server.publishedName.mockResolvedValue("Ada")
  await unfold("Eve")
  expect(page.textContent).toContain("Others find you as Ada.")
  expect(button("Put me in the directory")).toBeDefined()
  await press("Take me out of the directory")
  expect(server.withdraw).toHaveBeenCalledOnce()
  expect(page.textContent).toContain("You are not in this server’s directory.")
})

it("lets a person withdraw what another device may have published", async () => {
  await unfold("Ada")
  expect(page.textContent).toContain("You are not in this server’s directory.")
  await press("Take me out of the directory")
  expect(server.withdraw).toHaveBeenCalledOnce()
})

it("keeps the question and its focus while a name is published", async () => {
  const finish = hold(server.publish)
  await unfold("Ada")
  await press("Put me in the directory")
  expect(document.activeElement).toBe(button("No"))
  await press("Yes, publish my name")
  expect([document.activeElement, status()]).toEqual([button("Yes, publish my name"), "One moment…"])
  await press("Yes, publish my name")
  await finish()
  expect(server.publish).toHaveBeenCalledOnce()
  expect(status()).toBe("Others find you as Ada.")
  expect(document.activeElement).toBe(button("Take me out of the directory"))
})

it("returns the focus when a person does not publish the name", async () => {
  await unfold("Ada")
  await press("Put me in the directory")
  await press("No")
  expect(document.activeElement).toBe(button("Put me in the directory"))
})

it("keeps the focus on Retry until the server answers", async () => {
  server.publishedName.mockRejectedValue(new KeymootError("server-unreachable", ""))
  await unfold("Ada")
  await press("Retry")
  expect(document.activeElement).toBe(button("Retry"))
  const answer = hold(server.publishedName)
  await press("Retry")
  expect([document.activeElement, status()]).toEqual([button("Retry"), "One moment…"])
  expect(page.querySelector("[role=alert]")!.textContent).toBe("")
  await answer()
  expect(document.activeElement).toBe(page.querySelector("summary"))
})

it("keeps the focus on the withdrawal when another certificate is listed", async () => {
  server.publishedName.mockRejectedValue(new KeymootError("certificate-mismatch", ""))
  const finish = hold(server.withdraw)
  await unfold("Ada")
  await press("Take me out of the directory")
  const withdraw = button("Take me out of the directory")
  expect([document.activeElement, status()]).toEqual([withdraw, "One moment…"])
  await finish()
  expect(document.activeElement).toBe(withdraw)
})
