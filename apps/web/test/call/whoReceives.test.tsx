import type { MediaParticipant, MediaPurpose } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { WhoReceives } from "../../src/call/WhoReceives.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

beforeAll(() => void startI18n(["en-GB"]))

const said = (...connections: readonly MediaParticipant["connection"][]): string =>
  saidOf(["microphone", "camera", "screen"], connections)

function saidOf(own: readonly MediaPurpose[], connections: readonly MediaParticipant["connection"][]): string {
  const call = {
    own: store(new Map(own.map((purpose) => [purpose, {}]))),
    participants: store(connections.map((connection) => ({ connection }))),
  }
  const session = { call, view: store({ status: "secured" }) } as unknown as Session
  return renderToStaticMarkup(<WhoReceives session={session} viewer={false} />)
}

it("counts people only with a connection that carries sound", () => {
  expect(said("connected", "connected", "no-path")).toContain("2 other people can hear and see you. They can see your")
  expect(said("connected", "connecting")).toContain("1 other person can hear and see you.")
})

it("says that nobody hears or sees this person while nobody is connected", () => {
  const text = said("no-path", "connecting")
  expect(text).toContain("Nobody can hear or see you. 2 other people are in the call.")
  expect(text).not.toContain("screen")
})

it("says that a shared screen's sound is heard while the microphone is off", () => {
  const text = saidOf(["screen", "screen-audio"], ["connected", "connected"])
  expect(text).toContain("2 other people can hear you. Nobody can see you. They can see your screen.")
})
