// @vitest-environment jsdom
import type { StorageState } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { expect, it } from "vitest"
import { useLeaveWarning } from "../../src/conference/pageHooks.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

it("asks before a reload would lose a draft that this device could not store", () => {
  const [draft, storage] = [store("  "), store<StorageState>("failing")]
  const session = { pending: store([]), held: store(0), draft, storage } as unknown as Session
  const Room = () => {
    useLeaveWarning(session)
    return null
  }
  const asks = (): boolean => !window.dispatchEvent(new Event("beforeunload", { cancelable: true }))
  act(() => createRoot(document.body.appendChild(document.createElement("div"))).render(<Room />))
  expect(asks()).toBe(false)
  act(() => draft.set("half a sentence"))
  expect(asks()).toBe(true)
  act(() => storage.set("kept"))
  expect(asks()).toBe(false)
  act(() => storage.set("off"))
  expect(asks()).toBe(true)
})
