// @vitest-environment jsdom
import { beforeAll, beforeEach, expect, it } from "vitest"
import { change, settings, startSettings } from "../../src/settings/settings.ts"

const KEY = "keymoot settings"
/** Another page of this browser changes the settings. */
const elsewhere = (changed: object): void =>
  localStorage.setItem(KEY, JSON.stringify({ ...JSON.parse(localStorage.getItem(KEY) ?? "{}"), ...changed }))

beforeAll(startSettings)
beforeEach(() => change({ hideAddress: false, theme: "system" }))

it("keeps what another page has changed when this one changes something else", () => {
  elsewhere({ hideAddress: true })
  change({ theme: "dark" })
  expect(settings.get()).toMatchObject({ hideAddress: true, theme: "dark" })
  expect(JSON.parse(localStorage.getItem(KEY)!)).toMatchObject({ hideAddress: true, theme: "dark" })
})

it("takes over what another page has changed", () => {
  elsewhere({ hideAddress: true, theme: "dark" })
  window.dispatchEvent(new StorageEvent("storage", { key: KEY }))
  expect(settings.get()).toMatchObject({ hideAddress: true, theme: "dark" })
  expect(document.documentElement.dataset["theme"]).toBe("dark")
})
