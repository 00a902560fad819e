import { beforeEach, describe, expect, test } from "vitest"
import { aesGcmUnder } from "../../../src/ciphers/aes-gcm.ts"
import { type MediaSource, metadataOf } from "../../../src/media/keys/media-view.ts"
import { sealFrame } from "../../../src/media/sframe/sframe.ts"
import { PICTURE_POINTS_MAX } from "../../../src/media/worker/picture-bound.ts"
import { ADA, BOB, clock, keysOf, sentBy, text, three, Worker } from "../fake-workers.ts"

let ada: Worker
let bob: Worker
beforeEach(async () => {
  clock.nowMs = 0
  ada = new Worker(ADA)
  bob = new Worker(BOB)
  for (const each of [ada, bob]) await each.secure(three)
})

/** A frame whose bits begin with these: numbers in binary, and spaces between them. */
function frameOf(...fields: readonly string[]): Uint8Array {
  const bits = fields.join("").replaceAll(" ", "")
  const bytes = bits.padEnd(8 * Math.ceil(bits.length / 8), "0").match(/.{8}/gu)!
  return Uint8Array.of(...bytes.map((byte) => Number.parseInt(byte, 2)), ...text("the rest"))
}
const number = (value: number, bits: number): string => value.toString(2).padStart(bits, "0")
const SYNC = number(0x498342, 24)
const size = (width: number, height: number): string => number(width - 1, 16) + number(height - 1, 16)
/** Headers by kind: marker, profile, no former frame, delta, shown, resilient. Then each kind has its own fields. */
const KINDS: Readonly<Record<string, (...size: [string]) => Uint8Array>> = {
  "key frame": (of) => frameOf("10 00 0 0 1 0", SYNC, "010 0", of),
  "hidden key frame": (of) => frameOf("10 00 0 0 0 1", SYNC, "010 0", of),
  "frame without references": (of) => frameOf("10 00 0 1 0 0", "1 11", SYNC, "11111111", of),
  "resilient frame without references": (of) => frameOf("10 00 0 1 0 1", "1", SYNC, "11111111", of),
  "frame of another size than its references": (of) =>
    frameOf("10 00 0 1 1 0", "11", "11111111", "111 1 111 1 111 1", "000", of),
  "hidden one of another size": (of) => frameOf("10 00 0 1 0 1", "0", "11111111", "000 0 001 0 010 0", "000", of),
}
const kinds = Object.entries(KINDS)
const SIDE = Math.sqrt(PICTURE_POINTS_MAX)

/** Frames of Ada's modified program: her media worker would not encrypt them. */
async function sealed(source: MediaSource, ...frames: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const { keyId, key, salt } = (await keysOf(three))[0]!
  const sealing = { keyId, salt, cipher: aesGcmUnder(key) }
  // Honest frames have the lower numbers.
  return Promise.all(frames.map((frame, index) => sealFrame(sealing, 100 + index, metadataOf(source), frame)))
}

async function received(source: MediaSource, ...frames: readonly Uint8Array[]): Promise<Uint8Array[]> {
  const track = bob.track("receive", ADA, source)
  await track.put(...(await sealed(source, ...frames)), ...(await sentBy(ada, source)))
  await expect.poll(() => track.out.some((each) => Buffer.from(each).includes("a picture of somebody"))).toBe(true)
  return track.out.slice(0, -1)
}

describe("a member that makes a decoder allocate", () => {
  test.each(kinds)("is refused when it is more than the largest picture: %s", async (_, frame) => {
    const tenTimes = size(65536, (10 * PICTURE_POINTS_MAX) / 65536)
    const larger = [size(SIDE + 1, SIDE), size(SIDE, SIDE + 1), tenTimes, size(65536, 65536)].map(frame)
    expect(await received("camera", ...larger)).toEqual([])
    expect(bob.dropped("receive")).toEqual({ "too-large": larger.length })
  })

  test.each(kinds)("is seen up to the largest picture: %s", async (_, frame) => {
    const largest = [size(SIDE, SIDE), size(1, 65536), size(5120, 2880)].map(frame)
    expect(await received("screen", ...largest)).toEqual(largest)
    expect(bob.dropped("receive")).toEqual({})
  })

  test("is refused when it hides a picture in a profile that nobody negotiated", async () => {
    const frames = ["01", "10", "11"].map((profile) => frameOf("10", profile, "0 0 1 0", SYNC, "010 0", size(1, 1)))
    expect(await received("camera", ...frames)).toEqual([])
    expect(bob.dropped("receive")).toEqual({ malformed: 3 })
  })

  test("is refused when it hides a picture behind an index of its own", async () => {
    const [small, large] = [size(16, 16), size(SIDE + 1, SIDE)].map(KINDS["key frame"]!) as [Uint8Array, Uint8Array]
    const index = Uint8Array.of(0b110_00_001, small.length, large.length, 0b110_00_001)
    expect(await received("camera", Uint8Array.of(...small, ...large, ...index))).toEqual([])
    expect(bob.dropped("receive")).toEqual({ malformed: 1 })
  })

  test.each(kinds)("is refused when its header ends before the last bit of the size: %s", async (_, frame) => {
    const whole = frame(size(16, 16))
    const headerBytes = whole.length - text("the rest").length
    const prefixes = Array.from({ length: headerBytes - 1 }, (_each, index) => whole.subarray(0, index + 1))
    expect(await received("camera", ...prefixes)).toEqual([])
    expect(bob.dropped("receive")).toEqual({ malformed: prefixes.length })
  })

  test("shows one picture of a frame when it hides another one behind that", async () => {
    const showsFormer = frameOf("10 00 1 000")
    const hiding = Uint8Array.of(...showsFormer, ...KINDS["key frame"]!(size(65536, 65536)))
    expect(await received("camera", hiding)).toEqual([hiding])
  })
})

test("takes the size of a former picture from each of three references", async () => {
  const frames = ["1", "01", "001"].map((found) =>
    frameOf("10 00 0 1 1 1", "11111111", "000 0 001 0 010 0", found, size(65536, 65536)),
  )
  expect(await received("camera", ...frames)).toEqual(frames)
})

test("leaves sounds as they are, and frames that no decoder takes", async () => {
  const sound = KINDS["key frame"]!(size(65536, 65536))
  expect(await received("microphone", sound)).toEqual([sound])
  const other = frameOf("01 11 1111", size(65536, 65536))
  expect(await received("camera", other)).toEqual([other])
})

test("sends no picture that others refuse", async () => {
  const sending = ada.track("send", ADA, "screen")
  await sending.put(KINDS["key frame"]!(size(SIDE + 1, SIDE)), text("a picture"))
  await expect.poll(() => sending.out.length).toBe(1)
  expect(ada.dropped("send")).toEqual({ "too-large": 1 })
})
