import type { MediaParticipant, Member } from "@keymoot/core"
import { describe, expect, it } from "vitest"
import { camerasOf, CAMERAS_MAX } from "../../src/call/model/shownSizes.ts"

const id = (index: number): Member["id"] => `member ${index}` as Member["id"]
const people = (count: number, speaking: readonly number[] = [], camera = true): MediaParticipant[] =>
  Array.from({ length: count }, (_, index) => {
    const tracks = new Map(camera ? [["camera", {}]] : [])
    return { member: { id: id(index) }, tracks, speaking: speaking.includes(index) } as unknown as MediaParticipant
  })
const shown = (...indexes: readonly number[]): ReadonlySet<Member["id"]> => new Set(indexes.map(id))
const none = shown()

describe("the cameras that are shown", () => {
  it("are all of them up to eight people in the call", () => {
    expect(camerasOf(people(7), null, none).size).toBe(7)
  })

  it("are at most four above", () => {
    expect(camerasOf(people(8), null, none)).toEqual(shown(0, 1, 2, 3))
    expect(camerasOf(people(23), null, none).size).toBe(CAMERAS_MAX)
    expect(camerasOf(people(8, [], false), null, none).size).toBe(0)
  })

  it("include the enlarged person and people that speak", () => {
    expect(camerasOf(people(10, [5, 6]), { member: id(9), purpose: "camera" }, shown(1, 2, 3))).toEqual(
      shown(9, 5, 6, 1),
    )
    expect(camerasOf(people(10), { member: id(9), purpose: "screen" }, none)).toEqual(shown(0, 1, 2, 3))
  })

  it("stay the same while nobody speaks", () => {
    expect(camerasOf(people(10), null, shown(4, 5, 6, 7))).toEqual(shown(4, 5, 6, 7))
  })
})
