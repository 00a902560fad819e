import type { MediaParticipant, MediaPurpose } from "@keymoot/core"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, expect, it } from "vitest"
import { SilencedNote } from "../../src/call/notes/SilencedNote.tsx"
import { WhoReceives } from "../../src/call/WhoReceives.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

beforeAll(() => void startI18n(["en-GB"]))

const said = (...connections: readonly MediaParticipant["connection"][]): string =>
  saidOf(["microphone", "camera", "screen"], connections)

function saidOf(
  own: readonly MediaPurpose[],
  connections: readonly MediaParticipant["connection"][],
  silenced: readonly MediaPurpose[] = [],
): string {
  const call = {
    silenced: store(new Set(silenced)),
    own: store(new Map(own.map((purpose) => [purpose, {}]))),
    participants: store(connections.map((connection) => ({ connection, receives: connection === "connected" }))),
  }
  const session = { call, view: store({ status: "secured" }) } as unknown as Session
  return renderToStaticMarkup(<WhoReceives session={session} viewer={false} />)
}

it("counts people only with a connection that carries sound", () => {
  expect(said("connected", "connected", "no-path")).toContain("2 other people can hear and see you. They can see your")
  expect(said("connected", "connecting")).toContain("1 other person can hear and see you.")
})

it("counts a person whose path gives no answers, since it may carry sound", () => {
  const call = {
    silenced: store(new Set<MediaPurpose>()),
    own: store(new Map([["microphone", {}]])),
    participants: store([{ connection: "connecting", receives: true }]),
  }
  const session = { call, view: store({ status: "secured" }) } as unknown as Session
  expect(renderToStaticMarkup(<WhoReceives session={session} viewer={false} />)).toContain(
    "1 other person can hear you",
  )
})

it("says that nobody hears or sees this person while nobody is connected", () => {
  const text = said("no-path", "connecting")
  expect(text).toContain("Nobody can hear or see you. 2 other people are in the call.")
  expect(text).not.toContain("screen")
})

it("says that nobody else is in the call, also after others have left", () => {
  expect(said()).toContain(">Nobody else is in the call.</p>")
})

it("says that a shared screen's sound is heard while the microphone is off", () => {
  const text = saidOf(["screen", "screen-audio"], ["connected", "connected"])
  expect(text).toContain("2 other people can hear you. Nobody can see you. They can see your screen.")
})

it.each([
  [["microphone"], "2 other people can see you. Nobody can hear you.", "Unmute it in your system, or on your headset."],
  [["camera"], "2 other people can hear you. Nobody can see you.", "Allow the picture in your system"],
  [["microphone", "camera"], "Nobody can hear or see you. 2 other people are in the call.", "Unmute it in your system"],
] as const)("says that nobody hears or sees what the system has muted: %s", (silenced, text, help) => {
  expect(saidOf(["microphone", "camera"], ["connected", "connected"], silenced)).toContain(text)
  const note = renderToStaticMarkup(<SilencedNote call={{ silenced: store(new Set(silenced)) }} />)
  expect(note.match(/<p/gu)).toHaveLength(silenced.length)
  expect(note).toContain(help)
})

it("says nothing about a device that nobody has muted", () => {
  const note = renderToStaticMarkup(<SilencedNote call={{ silenced: store(new Set<MediaPurpose>()) }} />)
  expect(note).not.toContain("<p")
})
