import type { MediaParticipant, MediaPurpose } from "@keymoot/core"
import { describe, expect, it } from "vitest"
import { NO_CHOICE, type Staged, stageOf, toggled, withoutEnded } from "../../src/call/model/stage.ts"

const id = (name: string) => name as Staged["member"]
const inCall = (name: string, ...purposes: readonly MediaPurpose[]) =>
  ({ member: { id: id(name) }, published: new Set(purposes), tracks: new Map() }) as unknown as MediaParticipant
const screenOf = (name: string): Staged => ({ member: id(name), purpose: "screen" })
const cameraOf = (name: string): Staged => ({ member: id(name), purpose: "camera" })

describe("the stage of a call", () => {
  it("shows a shared screen by itself, and nothing else", () => {
    expect(stageOf([inCall("ada", "camera"), inCall("bob")], NO_CHOICE)).toBeNull()
    expect(stageOf([inCall("ada", "camera"), inCall("bob", "screen")], NO_CHOICE)).toEqual(screenOf("bob"))
  })

  it("keeps a pinned person while its camera is off, until the person leaves", () => {
    const choice = toggled(NO_CHOICE, cameraOf("ada"), null)
    expect(stageOf([inCall("ada"), inCall("bob", "screen")], choice)).toEqual(cameraOf("ada"))
    expect(stageOf([inCall("bob", "screen")], choice)).toEqual(screenOf("bob"))
    expect(withoutEnded(choice, [inCall("bob", "screen")]).pinned).toBeNull()
  })

  it("leaves a screen small that was made small, until it is shared again", () => {
    const sharing = [inCall("bob", "screen")]
    const choice = toggled(NO_CHOICE, screenOf("bob"), screenOf("bob"))
    expect(stageOf(sharing, choice)).toBeNull()
    expect(stageOf([...sharing, inCall("eve", "screen")], choice)).toEqual(screenOf("eve"))
    expect(stageOf(sharing, toggled(choice, screenOf("bob"), null))).toEqual(screenOf("bob"))
    const ended = withoutEnded(choice, [inCall("bob")])
    expect(stageOf(sharing, ended)).toEqual(screenOf("bob"))
  })
})
