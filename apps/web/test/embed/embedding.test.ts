// @vitest-environment jsdom
import { act } from "react"
import { afterAll, beforeEach, expect, it, vi } from "vitest"
import type { KeymootApp } from "../../src/app.ts"
import { embed } from "../../src/embed/embedding.tsx"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const SHOP = "https://shop.example"
const members = [{ verified: false }, { verified: false }]
const posted: string[] = []
const post = vi.spyOn(window, "postMessage").mockImplementation((message: { readonly type: string }) => {
  posted.push(message.type)
})
const admission = store({ waiting: true })
const view = store({ members, status: "joining" })
const screen = store<object>({ kind: "start" })
const show = (shown: object): void => act(() => screen.set(shown))

act(() => embed({ screen } as unknown as KeymootApp, document.body.appendChild(document.createElement("div")), [SHOP]))
const hello = { data: { keymoot: 1, type: "hello" }, origin: SHOP, source: window }
act(() => void window.dispatchEvent(new MessageEvent("message", hello)))

beforeEach(() => {
  admission.set({ waiting: true })
  show({ kind: "start" })
  show({ kind: "conference", session: { handle: { copyOnly: false }, admission, view } })
  view.set({ members, status: "agreeing" })
  posted.length = 0
})
afterAll(() => post.mockRestore())

it("tells the page around that a person is inside only when a host has let it in", () => {
  view.set({ members, status: "secured" })
  expect(posted).toEqual([])
  admission.set({ waiting: false })
  expect(posted).toEqual(["joined", "people", "security"])
})

it("tells the page around of a refusal, and of nothing before it", () => {
  show({ kind: "problem", problem: "refused" })
  expect(posted).toEqual(["ended"])
})

it("tells the page around that a person has left when it has to wait again", () => {
  admission.set({ waiting: false })
  posted.length = 0
  admission.set({ waiting: true })
  view.set({ members, status: "secured" })
  expect(posted).toEqual(["left"])
})

it("tells nothing of a conference that this person has left", () => {
  show({ kind: "start" })
  admission.set({ waiting: false })
  view.set({ members, status: "secured" })
  expect(posted).toEqual([])
})
