// @vitest-environment jsdom
import { act } from "react"
import { beforeEach, expect, it, vi } from "vitest"
import type { KeymootApp } from "../../src/app.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
const KNOWN = "Shown inside shop.example. This website knows the link of this conference, so it can join."
const UNSEEN = "Shown inside shop.example, which can’t read what you write or draw here."
const PLAIN = "Shown inside shop.example."

beforeEach(() => {
  Object.defineProperty(window, "parent", { configurable: true, value: { postMessage: () => undefined } })
  sessionStorage.clear()
})

/** Loads the page in a frame. Returns the function that shows a screen, and reads the bar. */
async function load(address: string) {
  history.replaceState(null, "", address)
  document.body.replaceChildren()
  vi.resetModules()
  const arrival = await import("../../src/arrival.ts")
  const { startI18n } = await import("../../src/i18n/index.ts")
  const { embed } = await import("../../src/embed/embedding.tsx")
  await startI18n(["en-GB"])
  const screen = store<object>({ kind: "start" })
  const root = document.body.appendChild(document.createElement("div"))
  act(() => embed({ screen } as unknown as KeymootApp, root, ["https://shop.example"]))
  const show = (shown: object, at: string): string => {
    history.replaceState(null, "", at)
    act(() => screen.set(shown))
    return document.querySelector(".embedded-bar")!.textContent
  }
  return { ...arrival, show }
}

const entering = { kind: "entering" }
const working = (what: string): object => ({ kind: "working", what })

it("says that the website can join only in the conference whose link it knows", async () => {
  const { show } = await load("/c/c1#secret")
  expect(show(entering, "/c/c1")).toBe(KNOWN)
  expect(show({ kind: "start" }, "/")).toBe(UNSEEN)
  expect(show(working("creating"), "/c/another")).toBe(UNSEEN)
  expect(show(working("resuming"), "/c/c1")).toBe(KNOWN)
})

it("says that the website can join after a reload, which has the link no more", async () => {
  const { forgetInvitation } = await load("/c/c1#secret")
  forgetInvitation("c1")
  const { show } = await load("/c/c1")
  expect(show(working("resuming"), "/c/c1")).toBe(KNOWN)
})

it("says that the website can join when it brings the link later", async () => {
  const { show, takeArrival } = await load("/")
  history.replaceState(null, "", "/c/c1#secret")
  takeArrival()
  expect(show(entering, "/c/c1")).toBe(KNOWN)
})

it("promises that the website reads nothing when the person has typed the link", async () => {
  const { show, takeTyped } = await load("/")
  takeTyped(`${location.origin}/c/c1#secret`)
  expect(show(entering, "/c/c1")).toBe(UNSEEN)
  expect(show(working("joining"), "/c/c1")).toBe(UNSEEN)
})

it("promises nothing when the page does not know who brought the link", async () => {
  const { show } = await load("/c/c1")
  expect(show(working("resuming"), "/c/c1")).toBe(PLAIN)
})

it("forgets the oldest conference when a website brings very many links", async () => {
  const { show, takeArrival, BROUGHT_MAX } = await load("/c/c0#secret")
  for (let i = 1; i <= BROUGHT_MAX; i++) {
    history.replaceState(null, "", `/c/c${i}#secret`)
    takeArrival()
  }
  expect(show(working("resuming"), "/c/c0")).toBe(PLAIN)
  expect(show(working("resuming"), "/c/c1")).toBe(KNOWN)
  expect(show(working("resuming"), `/c/c${BROUGHT_MAX}`)).toBe(KNOWN)
})
