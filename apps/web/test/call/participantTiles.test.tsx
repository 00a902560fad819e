// @vitest-environment jsdom
import type { MediaParticipant, MediaPurpose, Member } from "@keymoot/core"
import { DropdownMenu } from "radix-ui"
import { act } from "react"
import { createRoot } from "react-dom/client"
import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { MuteItems } from "../../src/call/MuteItems.tsx"
import { PersonTile, ScreenTile } from "../../src/call/ParticipantTiles.tsx"
import { Sounds } from "../../src/call/Sounds.tsx"
import { startI18n } from "../../src/i18n/index.ts"
import type { SessionCall } from "../../src/session/call.ts"
import type { Session } from "../../src/session/session.ts"
import { store } from "../../src/store.ts"

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
beforeAll(() => void startI18n(["en-GB"]))
const root = createRoot(document.body.appendChild(document.createElement("div")))
afterEach(() => act(() => root.render(null)))

const member = { id: "bob", name: "Bob", role: "editor", mayRemove: true } as unknown as Member
const withoutPath = {
  member,
  published: new Set(["microphone", "screen"]),
  tracks: new Map(),
  connection: "no-path",
  speaking: false,
} as unknown as MediaParticipant
const call = {
  state: store("in"),
  cameras: store(new Set()),
  participants: store([withoutPath]),
} as unknown as SessionCall

describe("a person without a path", () => {
  it("shares a screen whose tile says why it is empty", () => {
    const tile = renderToStaticMarkup(<ScreenTile call={call} participant={withoutPath} large />)
    expect(tile).toContain("No sound or picture with Bob.")
  })

  it("has no microphone that is off", () => {
    const micOff = (participant: MediaParticipant): boolean =>
      renderToStaticMarkup(<PersonTile call={call} participant={participant} />).includes("Microphone off")
    expect(micOff(withoutPath)).toBe(false)
    expect(micOff({ ...withoutPath, published: new Set() })).toBe(true)
  })

  it("can be muted by a host", () => {
    const items = <MuteItems session={{ call } as unknown as Session} member={member} onAsk={() => undefined} />
    act(() =>
      root.render(
        <DropdownMenu.Root open>
          <DropdownMenu.Content>{items}</DropdownMenu.Content>
        </DropdownMenu.Root>,
      ),
    )
    expect(document.querySelector("[role=menuitem]")?.textContent?.trim()).toBe("Mute")
  })
})

describe("the sound of a member whose microphone is off", () => {
  /** Returns what is heard and shown of a member that sends all of these. */
  function heard(...purposes: readonly MediaPurpose[]) {
    const sent = new Map(purposes.map((purpose) => [purpose, {}]))
    const participant = { ...withoutPath, published: new Set(purposes), tracks: sent } as unknown as MediaParticipant
    const devices = { changed: store(0), chosen: () => null }
    const called = { ...call, participants: store([participant]), devices } as unknown as SessionCall
    const [person, screen] = [PersonTile, ScreenTile].map((Shown) =>
      renderToStaticMarkup(<Shown call={called} participant={participant} />),
    )
    return {
      sounds: renderToStaticMarkup(<Sounds call={called} />).split("<audio").length - 1,
      micOff: person?.includes("Microphone off"),
      screenSound: screen?.includes("With sound"),
    }
  }

  it("is not played when the member shares no screen", () => {
    expect(heard("screen-audio")).toEqual({ sounds: 0, micOff: true, screenSound: false })
    expect(heard("camera", "screen-audio")).toEqual({ sounds: 0, micOff: true, screenSound: false })
  })

  it("is played, and shown on the tile of the screen, when a screen is beside it", () => {
    expect(heard("screen", "screen-audio")).toEqual({ sounds: 1, micOff: true, screenSound: true })
    expect(heard("microphone", "screen", "screen-audio")).toEqual({ sounds: 2, micOff: false, screenSound: true })
  })

  it("is on no tile when the screen has none", () => {
    expect(heard("screen")).toEqual({ sounds: 0, micOff: true, screenSound: false })
    expect(heard("microphone", "screen")).toEqual({ sounds: 1, micOff: false, screenSound: false })
  })
})
