import { expect, test } from "vitest"
import { callSize, packetMs, type Sending, sendingLimits } from "../../../src/media/connection/sending-limits.ts"

const CAMERA: Sending = { source: "camera", size: "small", load: 0, height: 720, wanted: null }

test("sends cameras with 360 lines in small calls and with 180 in larger ones", () => {
  expect([1, 3, 4, 7, 8, 23].map(callSize)).toEqual(["small", "small", "medium", "medium", "large", "large"])
  expect(sendingLimits(CAMERA)).toEqual({
    active: true,
    maxBitrate: 700_000,
    maxFramerate: 30,
    scaleResolutionDownBy: 2,
  })
  const medium = { active: true, maxBitrate: 200_000, maxFramerate: 15, scaleResolutionDownBy: 4 }
  expect(sendingLimits({ ...CAMERA, size: "medium" })).toEqual(medium)
  expect(sendingLimits({ ...CAMERA, size: "large" })).toEqual({ ...medium, active: false })
})

test("sends half as many packets of sound in calls of four and more", () => {
  expect([1, 2, 3, 23].map(packetMs)).toEqual([20, 20, 40, 40])
})

test("sends a member what it shows, and an enlarged camera with 360 lines", () => {
  const wanted = { sources: ["camera"], large: ["camera"] } as const
  const limits = { active: true, maxFramerate: 30, scaleResolutionDownBy: 2 }
  expect(sendingLimits({ ...CAMERA, size: "large", wanted })).toMatchObject(limits)
  const nothing = { sources: [], large: [] }
  expect(sendingLimits({ ...CAMERA, wanted: nothing }).active).toBe(false)
  expect(sendingLimits({ ...CAMERA, source: "screen", wanted: nothing }).active).toBe(false)
})

test("sends fewer frames in overload, then fewer lines", () => {
  const loads = ([1, 2, 3] as const).map((load) => sendingLimits({ ...CAMERA, load }))
  expect(loads.map(({ maxFramerate }) => maxFramerate)).toEqual([12, 10, 5])
  expect(loads.map(({ scaleResolutionDownBy }) => scaleResolutionDownBy)).toEqual([2, 4, 8])
  expect(sendingLimits({ ...CAMERA, size: "medium", load: 1 })).toMatchObject({
    maxFramerate: 12,
    scaleResolutionDownBy: 4,
  })
})

test("keeps the lines of a screen in overload", () => {
  const screen = { ...CAMERA, source: "screen" } as const
  expect(sendingLimits(screen)).toEqual({ active: true, maxBitrate: 1_500_000, maxFramerate: 15 })
  expect(sendingLimits({ ...screen, load: 3 })).toEqual({ active: true, maxBitrate: 1_500_000, maxFramerate: 5 })
})

test("never enlarges a picture", () => {
  expect(sendingLimits({ ...CAMERA, height: 120 }).scaleResolutionDownBy).toBe(1)
})
