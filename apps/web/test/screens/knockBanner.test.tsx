// @vitest-environment jsdom
import type { AdmissionState } from "@keymoot/core"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { afterEach, beforeAll, expect, it } from "vitest"
import { KnockBanner } from "../../src/hosts/KnockBanner.tsx"
import { Knocks } from "../../src/hosts/Knocks.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

const MESSAGES = [
  { text: "Hello", byHost: false },
  { text: "From the roof", byHost: false },
  { text: "Which roof?", byHost: true },
]

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const container = document.body.appendChild(document.createElement("div"))
const root = createRoot(container)
afterEach(() => act(() => root.render(null)))

it("offers both answers for each of a few people who want to join", () => {
  banner("Bob", "Eve")
  for (const name of ["Bob", "Eve"]) {
    expect(container.textContent).toContain(`${name} wants to join.`)
    expect(container.innerHTML).toContain("<bdi>From the roof</bdi>")
    expect(container.innerHTML).toContain(`aria-label="Let ${name} in"`)
    expect(container.innerHTML).toContain(`aria-label="Refuse ${name}"`)
  }
})

/** Mallory's certificate names the person that this host has verified. */
const [impostor, known, stranger] = [{ changedKey: true }, { verified: true }, {}].map(person)
const alarm = "this is not the Ada you verified"

it.each([
  ["warns of another key under a verified name", impostor!, [true, false, false]],
  ["shows that a person is verified", known!, [false, true, false]],
  ["says that nobody has verified a person", stranger!, [false, false, true]],
])("%s beside both answers", (_, knock, expected) => {
  const admission = store({ knocks: [knock] } as unknown as AdmissionState)
  const session = { admission, lobbyDrafts: store(new Map()) } as unknown as Session
  for (const Shown of [KnockBanner, Knocks]) {
    act(() => root.render(<Shown session={session} />))
    expect(container.textContent).toContain("Let in")
    const found = [alarm, "Verified by you", "Not verified by you"].map((text) => container.textContent.includes(text))
    expect(found).toEqual(expected)
  }
})

it("counts many people in one banner, and opens People when it is asked to", () => {
  const session = banner("Bob", "Eve", "Dan", "Mia")
  expect(container.textContent).toContain("4 people want to join.")
  const buttons = [...container.querySelectorAll("button")]
  expect(buttons.map((button) => button.textContent)).toEqual(["Show them"])
  act(() => buttons[0]!.click())
  expect(session.panelWanted.get()).toBe("people")
})

it("is absent when nobody wants to join", () => {
  banner()
  expect(container.innerHTML).toBe("")
})

function person(trust: object, index: number) {
  return { id: `${index}`, name: "Ada", verified: false, changedKey: false, messages: MESSAGES, ...trust }
}

function banner(...names: readonly string[]): Session {
  const knocks = names.map((name, index) => ({ ...person({}, index), name }))
  const admission = store({ waiting: false, vouched: true, knocks } as unknown as AdmissionState)
  const session = { admission, panelWanted: store(null) } as unknown as Session
  act(() => root.render(<KnockBanner session={session} />))
  return session
}
