// @vitest-environment jsdom
import type { AdmissionState } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { OfferNotices } from "../../src/attention/OfferNotices.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { change, settings, startSettings } from "../../src/settings/settings.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const container = document.body.appendChild(document.createElement("div"))
const root = createRoot(container)
beforeEach(() => change({ notifications: false, sounds: false, noticesOffered: false }))
afterEach(() => {
  act(() => root.render(null))
  vi.unstubAllGlobals()
})

const knockOf = (name: string) => ({ id: name, name, messages: [] })

function room(...names: readonly string[]) {
  const admission = store({ knocks: names.map(knockOf) } as unknown as AdmissionState)
  const show = () => act(() => root.render(<OfferNotices session={{ admission } as unknown as Session} />))
  show()
  const knocking = (...now: readonly string[]) =>
    act(() => admission.set({ ...admission.get(), knocks: now.map(knockOf) } as unknown as AdmissionState))
  return { knocking, show }
}

const buttons = () => [...container.querySelectorAll("button")]
const press = (name: string) =>
  act(async () =>
    buttons()
      .find((button) => [button.textContent, button.ariaLabel].includes(name))!
      .click(),
  )

function browserThatAnswers(permission: NotificationPermission): void {
  const notification = { permission: "default", requestPermission: () => Promise.resolve(permission) }
  vi.stubGlobal("Notification", notification)
}

it("asks at the first knock, and stays when the knock has been answered", () => {
  const { knocking } = room()
  expect(container.textContent).toBe("")
  knocking("Bob")
  expect(container.textContent).toContain("Do you want to hear of people who wait")
  knocking()
  expect(container.textContent).toContain("Do you want to hear of people who wait")
})

it("is silent when a sound or notifications are on", () => {
  change({ sounds: true })
  room("Bob")
  expect(container.textContent).toBe("")
  vi.stubGlobal("Notification", { permission: "granted" })
  act(() => change({ sounds: false, notifications: true }))
  expect(container.textContent).toBe("")
})

it.each(["default", "denied"] as const)(
  "asks again once when the browser has changed its answer to %s",
  async (permission) => {
    browserThatAnswers("granted")
    const { knocking } = room("Bob")
    await press("Notify me")
    knocking()
    vi.stubGlobal("Notification", { permission })
    knocking("Eve")
    expect(buttons().map((button) => button.textContent)).toEqual(["Play a sound", "Notify me", ""])
    await press("No, thanks")
    // As after a reload.
    await act(() => startSettings())
    knocking()
    knocking("Eve")
    expect(container.textContent).toBe("")
  },
)

it("never asks again when the host has declined", async () => {
  room("Bob")
  await press("No, thanks")
  expect(container.textContent).toBe("")
  expect(settings.get()).toMatchObject({ sounds: false, notifications: false })
  // As after a reload.
  await act(() => startSettings())
  room("Eve")
  expect(container.textContent).toBe("")
})

it("turns on the sound when the host chooses it", async () => {
  room("Bob")
  await press("Play a sound")
  expect(settings.get()).toMatchObject({ sounds: true, notifications: false })
  expect(container.textContent).toBe("")
})

it("turns on notifications when the browser allows them", async () => {
  browserThatAnswers("granted")
  room("Bob")
  await press("Notify me")
  expect(settings.get()).toMatchObject({ sounds: false, notifications: true })
  expect(container.textContent).toBe("")
})

it("says why, and still offers a sound, when the browser refuses notifications", async () => {
  browserThatAnswers("denied")
  room("Bob")
  await press("Notify me")
  expect(settings.get().notifications).toBe(false)
  expect(container.textContent).toContain("The browser does not allow notifications.")
  expect(buttons().map((button) => button.textContent)).toEqual(["Play a sound", ""])
})

it("offers no notification when the browser has none", () => {
  room("Bob")
  expect(buttons().map((button) => button.textContent)).toEqual(["Play a sound", ""])
})
