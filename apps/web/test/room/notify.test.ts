// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { NOTIFY_INTERVAL_MS, openNotify } from "../../src/attention/notify.ts"
import { change } from "../../src/settings/settings.ts"

let nowMs = 0
let sounds = 0
beforeEach(() => {
  sounds = 0
  change({ sounds: true, notifications: false })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})
const open = () =>
  openNotify(
    () => nowMs,
    () => sounds++,
  )

test("a flood of hands, mentions and messages is one sound in each interval", () => {
  const notify = open()
  for (let i = 0; i < 1000; i++) {
    notify("New message", "conference")
    nowMs += NOTIFY_INTERVAL_MS / 100
  }
  expect(sounds).toBe(10)
})

test("is quiet when the person wants no sounds", () => {
  change({ sounds: false })
  open()("New message", "conference")
  expect(sounds).toBe(0)
})

/** Chrome on Android: a page may ask for the permission, and not show a notification itself. */
function onAndroid(registration: () => Promise<unknown>) {
  change({ sounds: false, notifications: true })
  vi.spyOn(document, "hidden", "get").mockReturnValue(true)
  const refuse = () => {
    throw new TypeError("Illegal constructor. Use ServiceWorkerRegistration.showNotification() instead.")
  }
  vi.stubGlobal(
    "Notification",
    class extends EventTarget {
      text = refuse()
    },
  )
  vi.stubGlobal("navigator", { serviceWorker: { getRegistration: registration } })
}

test("asks the service worker when the page may show no notification itself", async () => {
  const asked: unknown[] = []
  onAndroid(async () => ({ active: { postMessage: (message: unknown) => asked.push(message) } }))
  open()("New message", "conference")
  await expect.poll(() => asked).toEqual([{ notify: "New message", tag: "conference" }])
})

test.each([
  ["there is no service worker", async () => undefined],
  ["the service worker is not ready", async () => ({ active: null })],
  ["service workers are refused", () => Promise.reject(new DOMException("", "SecurityError"))],
])("shows none and does not fail when %s", async (_, registration) => {
  const unhandled = vi.fn<() => void>()
  process.on("unhandledRejection", unhandled)
  onAndroid(registration)
  open()("New message", "conference")
  await new Promise((resolve) => setTimeout(resolve))
  process.off("unhandledRejection", unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
