// @vitest-environment jsdom
import type { MediaParticipant, Member } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { CallBanner } from "../../src/call/CallBanner.tsx"
import { openCallNotice, QUIET_MEMBERS_MAX, QUIET_MS } from "../../src/call/model/callNotice.ts"
import type { CallToggle } from "../../src/call/model/openTracks.ts"
import { startI18n } from "../../src/i18n/index.ts"
import type { SessionCall } from "../../src/session/call.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const container = document.body.appendChild(document.createElement("div"))
const root = createRoot(container)
afterEach(() => act(() => root.render(null)))

function open(before: readonly CallToggle[] | null = null) {
  let nowMs = 0
  const call = {
    state: store<ReturnType<SessionCall["state"]["get"]>>("out"),
    before: store(before),
    participants: store<readonly MediaParticipant[]>([]),
    preview: () => call.state.set("preview"),
  }
  const notice = openCallNotice(call, () => nowMs)
  act(() => root.render(<CallBanner session={{ call: { ...call, ...notice } } as unknown as Session} />))
  return {
    call,
    /** The people in the call from now on. */
    inCall: (...names: readonly string[]) =>
      act(() =>
        call.participants.set(names.map((name) => ({ member: { id: name, name } as unknown as Member }) as never)),
      ),
    pass: (ms: number) => void (nowMs += ms),
    state: (state: ReturnType<SessionCall["state"]["get"]>) => act(() => call.state.set(state)),
  }
}

const shown = (): string => container.querySelector("span")?.textContent ?? ""
const press = (name: string) =>
  act(() =>
    [...container.querySelectorAll("button")]
      .find((button) => [button.textContent, button.ariaLabel].includes(name))!
      .click(),
  )

it("names who is in the call, and opens the preview, when a call begins", () => {
  const { inCall, call } = open()
  expect(shown()).toBe("")
  inCall("Ada")
  expect(shown()).toBe("Ada is in a call.")
  press("Join call")
  expect(call.state.get()).toBe("preview")
  expect(shown()).toBe("")
})

it("names the members of a call in the order in which they came", () => {
  const { inCall } = open()
  inCall("Bob")
  inCall("Ada", "Bob")
  expect(shown()).toBe("Bob and Ada are in a call.")
  inCall("Ada", "Bob", "Eve")
  expect(shown()).toBe("Bob and 2 others are in a call.")
  inCall("Ada")
  expect(shown()).toBe("Ada is in a call.")
  inCall()
  expect(shown()).toBe("")
})

it("does not change again and again when a member enters and leaves beside another", () => {
  const { inCall, pass } = open()
  inCall("Ada")
  const seen = Array.from({ length: 10 }, () => {
    inCall("Ada", "Mallory")
    const text = shown()
    inCall("Ada")
    pass(QUIET_MS / 10)
    return text
  })
  const both = "Ada and Mallory are in a call."
  expect(seen).toEqual([both, both, ...Array<string>(8).fill("Ada is in a call.")])
})

it("comes once for each call when the person hides it", () => {
  const { inCall, pass } = open()
  inCall("Ada")
  press("Hide")
  inCall("Ada", "Bob")
  inCall("Bob")
  expect(shown()).toBe("")
  pass(QUIET_MS)
  inCall()
  pass(QUIET_MS)
  inCall("Ada")
  expect(shown()).toBe("Ada is in a call.")
})

it("stays hidden when a member leaves and enters again and again", () => {
  const { inCall, pass } = open()
  inCall("Mallory")
  press("Hide")
  for (let i = 0; i < 10; i++) {
    inCall()
    pass(QUIET_MS - 1)
    inCall("Mallory")
    expect(shown()).toBe("")
  }
  inCall()
  inCall("Mallory", "Ada")
  expect(shown()).toBe("Ada is in a call.")
})

it("comes twice at most when a member enters and leaves again and again", () => {
  const { inCall, pass } = open()
  const seen = Array.from({ length: 10 }, () => {
    inCall("Mallory")
    const text = shown()
    inCall()
    pass(QUIET_MS / 10)
    return text
  })
  expect(seen.filter((text) => text !== "")).toEqual(Array(2).fill("Mallory is in a call."))
  inCall("Mallory", "Ada")
  expect(shown()).toBe("Ada is in a call.")
  inCall()
  pass(QUIET_MS)
  inCall("Mallory")
  expect(shown()).toBe("Mallory is in a call.")
})

it("comes each time when a member has been in no call for long", () => {
  const { inCall, pass } = open()
  for (let i = 0; i < 5; i++) {
    inCall("Ada")
    expect(shown()).toBe("Ada is in a call.")
    inCall()
    pass(QUIET_MS)
  }
})

it("says nothing of a call that the person is in, leaves, or is asked to return to", () => {
  const first = open()
  first.state("in")
  first.inCall("Ada")
  first.state("out")
  expect(shown()).toBe("")
  const { inCall, call } = open(["microphone"])
  inCall("Ada")
  expect(shown()).toBe("")
  act(() => call.before.set(null))
  expect(shown()).toBe("")
})

it("forgets the member that left first when very many have been in hidden calls", () => {
  const { inCall } = open()
  inCall("Ada")
  press("Hide")
  inCall(...Array.from({ length: 10 * QUIET_MEMBERS_MAX }, (_, at) => `Guest ${at}`))
  inCall()
  inCall("Ada")
  expect(shown()).toBe("Ada is in a call.")
})
