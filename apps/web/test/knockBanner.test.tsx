import type { AdmissionState } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { KnockBanner } from "../src/hosts/KnockBanner.tsx"
import { startI18n } from "../src/i18n/index.ts"
import type { Session } from "../src/session/session.ts"
import { store } from "../src/store.ts"

const MESSAGES = [
  { text: "Hello", byHost: false },
  { text: "From the roof", byHost: false },
  { text: "Which roof?", byHost: true },
]

beforeAll(() => void startI18n(["en-GB"]))

it("offers both answers for each of a few people who want to join", () => {
  const markup = banner("Bob", "Eve")
  for (const name of ["Bob", "Eve"]) {
    expect(markup).toContain(`${name} wants to join.`)
    expect(markup).toContain("<bdi>From the roof</bdi>")
    expect(markup).toContain(`aria-label="Let ${name} in"`)
    expect(markup).toContain(`aria-label="Refuse ${name}"`)
  }
})

it("counts many people in one banner", () => {
  const markup = banner("Bob", "Eve", "Dan", "Mia")
  expect(markup).toContain("4 people want to join.")
  expect(markup).not.toContain("<button")
})

it("is absent when nobody wants to join", () => {
  expect(banner()).toBe("")
})

function banner(...names: readonly string[]): string {
  const knocks = names.map((name, index) => ({ id: `${index}`, name, fingerprint: "", messages: MESSAGES }))
  const admission = store({ waiting: false, vouched: true, knocks } as unknown as AdmissionState)
  return renderToStaticMarkup(<KnockBanner session={{ admission } as unknown as Session} />)
}
