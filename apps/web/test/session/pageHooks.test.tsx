// @vitest-environment jsdom
import type { StorageState } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { useLeaveWarning, useTitle } from "../../src/conference/pageHooks.ts"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

function run(hook: (session: Session) => void, session: object): void {
  const Room = () => {
    hook(session as Session)
    return null
  }
  act(() => root.render(<Room />))
}

it("asks before a reload would lose a draft that this device could not store", () => {
  const [draft, storage] = [store("  "), store<StorageState>("failing")]
  const session = { pending: store([]), held: store(0), draft, storage }
  const asks = (): boolean => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }))
  run(useLeaveWarning, session)
  expect(asks()).toBe(false)
  act(() => draft.set("half a sentence"))
  expect(asks()).toBe(true)
  act(() => storage.set("kept"))
  expect(asks()).toBe(false)
  act(() => storage.set("off"))
  expect(asks()).toBe(true)
})

it("keeps a conference's title out of the page's title and the browser's history", () => {
  const unread = store(0)
  const handle = { title: "The merger", self: { id: "ada" } }
  run(useTitle, { unread, handle, admission: store({ knocks: [] }), presence: { doing: store(new Map()) } })
  expect(document.title).toBe("Keymoot")
  act(() => unread.set(2))
  expect(document.title).toBe("(2) Keymoot")
})
