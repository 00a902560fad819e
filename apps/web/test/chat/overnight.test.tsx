// @vitest-environment jsdom
import type { Member } from "@keymoot/core"
import { act, memo, type ReactNode } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest"
import { SentAt } from "../../src/chat/items/SentAt.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import { SecurityLog } from "../../src/security/SecurityLog.tsx"
import type { LogLine } from "../../src/session/log.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const page = document.body.appendChild(document.createElement("div"))
const root = createRoot(page)
const MINUTE_MS = 60_000
const EVENING = new Date(2026, 10, 30, 23, 58)

beforeEach(() => void vi.useFakeTimers({ now: EVENING }))
afterEach(() => {
  act(() => root.render(null))
  expect(vi.getTimerCount(), "a page without times looks at no clock").toBe(0)
  vi.useRealTimers()
})

const Message = memo(() => <SentAt atMs={EVENING.getTime()} />)
const line = { id: 1, atMs: EVENING.getTime(), kind: "transferred", what: "board", from: { name: "Bob" } as Member }
const session = { log: store<readonly LogLine[]>([line as LogLine]) } as unknown as Session

it.each<[string, ReactNode, string]>([
  ["a message", <Message key="message" />, "23:58"],
  ["a line of the security log", <SecurityLog key="log" session={session} />, "23:58:00"],
])("dates %s when midnight has passed", (_, content, time) => {
  const said = () => page.querySelector("time")!.textContent
  act(() => root.render(content))
  act(() => vi.advanceTimersByTime(MINUTE_MS))
  expect(said()).toBe(time)
  act(() => vi.advanceTimersByTime(2 * MINUTE_MS))
  expect(said()).toBe(`30/11/2026, ${time}`)
})
