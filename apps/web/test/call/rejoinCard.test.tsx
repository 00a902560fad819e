// @vitest-environment jsdom
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it, vi } from "vitest"
import { RejoinCard } from "../../src/call/RejoinCard.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

it.each(["entering", "out"])("leaves the call that a reload interrupted when its state is %s", (state) => {
  const call = { state: store(state), problem: store(null), leave: vi.fn() }
  const session = { call, links: store(new Map()) } as unknown as Session
  act(() => root.render(<RejoinCard session={session} toggles={["microphone"]} viewer={false} />))
  act(() => [...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Not now")!.click())
  expect(call.leave).toHaveBeenCalledOnce()
})
