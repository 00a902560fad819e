// @vitest-environment jsdom
import type { Member } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { ApartBanners } from "../../src/conference/banners/ApartBanners.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
afterEach(() => act(() => root.render(null)))

const person = (name: string): Member => ({ id: name, name }) as unknown as Member

it("stays hidden when a named member is no longer expected, until the next loss", () => {
  const [bob, eve, dan] = [person("Bob"), person("Eve"), person("Dan")]
  const lost = store<readonly Member[]>([bob, eve])
  const view = { members: [person("Ada"), person("Joe")] }
  const session = { view: store(view), lost, reloading: store(new Set()), reunited: store([]) } as unknown as Session
  act(() => root.render(<ApartBanners session={session} offline={false} />))
  expect(page.textContent).toContain("Bob and Eve cannot be reached.")
  act(() => page.querySelector("button")!.click())
  expect(page.textContent).toBe("")
  act(() => lost.set([eve]))
  expect(page.textContent).toBe("")
  act(() => lost.set([eve, dan]))
  expect(page.textContent).toContain("Eve and Dan cannot be reached.")
})
