// @vitest-environment jsdom
import { Conference, type KeptConference } from "@keymoot/core"
import { act, type ReactNode } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { Doc } from "yjs"
import { CopyBanner } from "../../src/ending/CopyBanner.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import { MyConferences } from "../../src/screens/MyConferences.tsx"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"
import { rectangle } from "../board/elements.ts"

vi.mock("../../src/directory/LazyDirectory.tsx", () => ({ LazyNamedConferences: () => null }))
vi.mock("../../src/evidence/EvidenceButton.tsx", () => ({ EvidenceButton: () => null }))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => {
  act(() => root.render(null))
  vi.restoreAllMocks()
})

const show = (content: ReactNode): void => act(() => root.render(content))
const button = (name: string): HTMLElement =>
  [...page.querySelectorAll("button")].find((one) => (one.ariaLabel ?? one.textContent.trim()) === name)!
const press = (name: string): Promise<void> => {
  button(name).focus()
  return act(async () => button(name).click())
}

it("deletes the copy of a conference only after a question", async () => {
  const onForget = vi.fn()
  const doc = new Doc()
  const session = {
    transcript: store([]),
    polls: store([]),
    handle: { timeFrame: { latestEndMs: 0 }, document: () => ({ doc }) },
  } as unknown as Session
  show(<CopyBanner session={session} onForget={onForget} onLate={() => undefined} />)
  await press("Forget it")
  expect(document.activeElement).toBe(button("Keep"))
  await press("Keep")
  expect(document.activeElement).toBe(button("Forget it"))
  expect(onForget).not.toHaveBeenCalled()
  await press("Forget it")
  await press("Forget for good")
  expect(onForget).toHaveBeenCalledOnce()
})

it("offers no board to save when all of it is deleted", () => {
  const doc = new Doc()
  const session = {
    transcript: store([]),
    polls: store([]),
    handle: { timeFrame: { latestEndMs: 0 }, document: () => ({ doc }) },
  } as unknown as Session
  show(<CopyBanner session={session} onForget={() => undefined} onLate={() => undefined} />)
  const draw = (isDeleted: boolean) =>
    act(() => void doc.getMap("elements").set("box", rectangle("box", { isDeleted })))
  draw(true)
  expect(button("Save the board")).toBeUndefined()
  draw(false)
  expect(button("Save the board")).toBeDefined()
})

it.each([
  ["is over", -60_000, "This conference is over.", "Ask the others whether it goes on"],
  ["goes on without the server", 60_000, "The server could not be reached.", "Try now"],
])("says of a copy whose conference %s why it is shown, and how to return", async (_, leftMs, words, way) => {
  const onLate = vi.fn()
  const endsAtMs = Date.now() + leftMs
  const handle = { timeFrame: { endsAtMs, latestEndMs: Date.now() + 60_000 }, document: () => ({ doc: new Doc() }) }
  const session = { transcript: store([]), polls: store([]), handle } as unknown as Session
  show(<CopyBanner session={session} onForget={() => undefined} onLate={onLate} />)
  expect(page.textContent).toContain(words)
  await press(way)
  expect(onLate).toHaveBeenCalledOnce()
})

it.each([
  ["one stored conference", "Forget Plan a", ["a"]],
  ["all stored conferences", "Forget all of them", ["a", "b"]],
])("deletes %s only after a question", async (_, name, ids) => {
  const kept = ["a", "b"].map((id) => ({ id, about: { title: `Plan ${id}` }, people: [], enteredAtMs: 0 }))
  vi.spyOn(Conference, "kept").mockResolvedValue(kept as unknown as KeptConference[])
  const forget = vi.spyOn(Conference, "forget").mockResolvedValue()
  show(<MyConferences takeName={() => null} onReturn={() => undefined} />)
  await act(async () => void (page.querySelector("details")!.open = true))
  await vi.waitUntil(() => act(async () => button(name)))
  await press(name)
  await press("Keep")
  expect(forget).not.toHaveBeenCalled()
  await press(name)
  await press("Forget for good")
  expect(forget.mock.calls).toEqual(ids.map((id) => [{ id }]))
})

it("describes a stored conference by its people and dates, for a screen reader too", async () => {
  const timeFrame = { opensAtMs: 0, endsAtMs: Date.UTC(2001, 5, 7), latestEndMs: Date.UTC(2001, 5, 7) }
  const about = { title: "Plan", timeFrame }
  const kept = [{ id: "a", about, people: ["Bob"], enteredAtMs: Date.UTC(2002, 5, 7) }]
  vi.spyOn(Conference, "kept").mockResolvedValue(kept as unknown as KeptConference[])
  show(<MyConferences takeName={() => null} onReturn={() => undefined} />)
  await act(async () => void (page.querySelector("details")!.open = true))
  const back = await vi.waitUntil(() => act(async () => button("Return to Plan")))
  const described = document.getElementById(back.getAttribute("aria-describedby") ?? "")?.textContent
  expect(described).toMatch(/^With Bob.*Entered .*2002.*Over since .*2001/u)
})
