// @vitest-environment jsdom
import type { Member } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { beforeAll, expect, it } from "vitest"
import { NewsAnnouncer } from "../../src/conference/banners/NewsAnnouncer.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Notice } from "../../src/session/order.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))

it("gives a screen reader a new element when the same news come again", () => {
  const page = document.body.appendChild(document.createElement("div"))
  const news = store<Notice | null>(null)
  act(() => createRoot(page).render(<NewsAnnouncer session={{ news } as unknown as Session} />))
  const said = ["view 1", "view 2"].map((id) => {
    const joined = [{ name: "Bob" } as Member]
    act(() => news.set({ id, joined, returned: [], left: [], lost: [], removed: [] } as unknown as Notice))
    return page.querySelector("[aria-live]")!.lastChild
  })
  expect(said.map((node) => node!.textContent)).toEqual(["Bob joined.", "Bob joined."])
  expect(said[0]).not.toBe(said[1])
})
