import type { AdmissionState, ConferenceView } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { Unvouched } from "../../src/hosts/Unvouched.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

beforeAll(() => void startI18n(["en-GB"]))

const SAID = "No host has confirmed this conference in the last hour"

function banner(admission: Partial<AdmissionState>, view: Partial<ConferenceView> = {}, people = 2): string {
  const session = {
    admission: store({
      waiting: false,
      hostHere: false,
      vouched: false,
      knocks: [],
      messages: [],
      endsAtMs: Number.POSITIVE_INFINITY,
      maySetEnd: false,
      ...admission,
    }),
    view: store({ status: "secured", members: Array.from({ length: people }, () => ({})), ...view }),
  } as unknown as Session
  return renderToStaticMarkup(<Unvouched session={session} />)
}

it("warns of people that no host has confirmed", () => {
  expect(banner({})).toContain(SAID)
})

it.each([
  ["a host has vouched", banner.bind(null, { vouched: true })],
  ["this person waits to be let in, and sees the room no more than others do", banner.bind(null, { waiting: true })],
  ["there is no key yet", banner.bind(null, {}, { status: "agreeing" })],
  ["nobody else is here", banner.bind(null, {}, {}, 1)],
] as const)("is quiet where %s", (_, show) => {
  expect(show()).toBe("")
})
