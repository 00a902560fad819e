import type { MediaParticipant, MediaPurpose } from "@keymoot/core"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { openStage, SCREEN_BACK_MS, type Staged } from "../../src/call/model/stage.ts"
import type { SessionCall } from "../../src/session/call.ts"
import { store } from "../../src/store.ts"

const id = (name: string) => name as Staged["member"]
const inCall = (name: string, ...purposes: readonly MediaPurpose[]) =>
  ({ member: { id: id(name) }, published: new Set(purposes), tracks: new Map() }) as unknown as MediaParticipant
const screenOf = (name: string): Staged => ({ member: id(name), purpose: "screen" })
const cameraOf = (name: string): Staged => ({ member: id(name), purpose: "camera" })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The stage of a person in the call. */
function open() {
  const call = {
    state: store<ReturnType<SessionCall["state"]["get"]>>("in"),
    participants: store<readonly MediaParticipant[]>([]),
  }
  const { stage, toggleStage } = openStage(call, () => performance.now())
  return { ...call, stage, toggleStage, others: (...all: MediaParticipant[]) => call.participants.set(all) }
}
const bobShares = inCall("bob", "screen")

describe("the stage of a call", () => {
  it("shows a shared screen by itself, and nothing else", () => {
    const { stage, others, state } = open()
    others(inCall("ada", "camera"), inCall("bob"))
    expect(stage.get()).toBeNull()
    others(inCall("ada", "camera"), bobShares)
    expect(stage.get()).toEqual(screenOf("bob"))
    state.set("out")
    expect(stage.get()).toBeNull()
  })

  it("keeps a pinned person while its camera is off, until the person leaves", () => {
    const { stage, others, toggleStage } = open()
    others(inCall("ada", "camera"))
    toggleStage(cameraOf("ada"))
    others(inCall("ada"), bobShares)
    expect(stage.get()).toEqual(cameraOf("ada"))
    others(bobShares)
    expect(stage.get()).toEqual(screenOf("bob"))
    others(inCall("ada", "camera"), bobShares)
    expect(stage.get()).toEqual(screenOf("bob"))
  })

  it("leaves a screen small that was made small, until it is enlarged again", () => {
    const { stage, others, toggleStage } = open()
    others(bobShares)
    toggleStage(screenOf("bob"))
    expect(stage.get()).toBeNull()
    others(bobShares, inCall("eve", "screen"))
    expect(stage.get()).toEqual(screenOf("eve"))
    others(bobShares)
    toggleStage(screenOf("bob"))
    expect(stage.get()).toEqual(screenOf("bob"))
  })
})

describe("a member whose screen comes and goes", () => {
  it("takes the stage no more when the screen was made small", () => {
    const { stage, others, toggleStage, state } = open()
    others(bobShares)
    toggleStage(screenOf("bob"))
    // Without the screen, and without the member.
    for (const between of [[inCall("bob")], []]) {
      others(...between)
      vi.advanceTimersByTime(10 * SCREEN_BACK_MS)
      others(bobShares)
      vi.advanceTimersByTime(10 * SCREEN_BACK_MS)
      expect(stage.get()).toBeNull()
    }
    // The choice is of one call.
    state.set("out")
    state.set("in")
    expect(stage.get()).toEqual(screenOf("bob"))
  })

  it("takes the stage again only after some seconds", () => {
    const { stage, others } = open()
    others(bobShares)
    for (let count = 0; count < 10; count++) {
      others(...(count % 2 === 0 ? [inCall("bob")] : []))
      others(bobShares)
      expect(stage.get()).toBeNull()
    }
    vi.advanceTimersByTime(SCREEN_BACK_MS - 1)
    expect(stage.get()).toBeNull()
    vi.advanceTimersByTime(1)
    expect(stage.get()).toEqual(screenOf("bob"))
  })

  it("leaves the stage to the screens of others", () => {
    const { stage, others } = open()
    others(bobShares, inCall("eve", "screen"))
    others(inCall("bob"), inCall("eve", "screen"))
    others(bobShares, inCall("eve", "screen"))
    expect(stage.get()).toEqual(screenOf("eve"))
  })
})
