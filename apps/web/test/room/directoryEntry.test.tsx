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
const press = (name: string): Promise<void> => act(async () => button(name)!.click())

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
