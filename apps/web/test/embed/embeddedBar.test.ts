// @vitest-environment jsdom
import { act } from "react"
import { beforeAll, expect, it, vi } from "vitest"
import type { KeymootApp } from "../../src/app.ts"
import { embed } from "../../src/embed/embedding.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import { store } from "../../src/store.ts"

// The page around the frame has this link in the frame's `src`.
vi.hoisted(() => history.replaceState(null, "", "/c/c1#secret"))
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))

it("says that the website can join only in the conference whose link it knows", () => {
  const screen = store<object>({ kind: "entering" })
  const root = document.body.appendChild(document.createElement("div"))
  act(() => embed({ screen } as unknown as KeymootApp, root, ["https://shop.example"]))
  const said = (): string => document.querySelector(".embedded-bar")!.textContent
  expect(said()).toBe("Shown inside shop.example. This website knows the link of this conference, so it can join.")

  for (const address of ["/", "/c/another"]) {
    history.replaceState(null, "", address)
    act(() => screen.set({ kind: "start" }))
    expect(said()).toBe("Shown inside shop.example, which can’t read what you write or draw here.")
    history.replaceState(null, "", "/c/c1")
    act(() => screen.set({ kind: "working" }))
    expect(said()).toContain("knows the link")
  }
})
