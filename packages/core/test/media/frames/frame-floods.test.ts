import { beforeEach, describe, expect, test } from "vitest"
import { HELD_MEDIA_BYTES_MAX, HELD_MEDIA_FRAMES_MAX } from "../../../src/media/keys/held-frames.ts"
import type { FrameCipher, Track } from "../../../src/media/worker/frame-cipher.ts"
import { type EncodedFrame, FramePipe, KEY_FRAME_APART_MS } from "../../../src/media/worker/frame-pipe.ts"
import { ADA, BOB, clock, sentBy, three, Worker } from "../fake-workers.ts"

/** Far more than a member sends in the time that a frame may wait. */
const FLOOD = 20 * HELD_MEDIA_FRAMES_MAX

beforeEach(() => {
  clock.nowMs = 0
})

describe("a member that floods a track", () => {
  let written: EncodedFrame[]
  let keyFrames: Track[]

  const frame = (bytes: number): EncodedFrame => ({ data: new ArrayBuffer(bytes), type: "key" })
  const pipeTo = (cipher: Partial<FrameCipher>): FramePipe => {
    ;[written, keyFrames] = [[], []]
    return new FramePipe({
      track: { direction: "receive", source: "camera", peer: ADA },
      cipher: { isUnderFormerKey: () => false, ...cipher } as FrameCipher,
      padding: null,
      clock,
      writer: { write: async (each) => void written.push(each!) },
      keyFrames: { take: (track) => keyFrames.push(track) },
    })
  }

  test("has a bounded number of frames and bytes that wait for a key", () => {
    const pipe = pipeTo({ waits: () => true })
    for (let count = 0; count < FLOOD; count++) pipe.take(frame(1))
    expect(pipe.dropped).toEqual({ late: FLOOD - HELD_MEDIA_FRAMES_MAX })
    for (let count = 0; count < 10; count++) pipe.take(frame(HELD_MEDIA_BYTES_MAX))
    expect(pipe.dropped).toEqual({ late: FLOOD + 9 })
    expect(written).toEqual([])
  })

  test("has as few that wait for the cipher", async () => {
    let open: (plaintext: Uint8Array) => void = () => undefined
    const opened = new Promise<Uint8Array>((resolve) => (open = resolve))
    const pipe = pipeTo({ waits: () => false, transform: () => opened })
    for (let count = 0; count < FLOOD; count++) pipe.take(frame(1))
    open(new Uint8Array(1))
    await pipe.drain()
    await expect.poll(() => pipe.isHolding).toBe(false)
    // The first one was with the cipher while the others waited.
    expect([written.length, pipe.passed]).toEqual(Array(2).fill(HELD_MEDIA_FRAMES_MAX + 1))
  })

  test("gets one request for a key frame in half a second", () => {
    const pipe = pipeTo({ waits: () => true })
    for (let count = 0; count < FLOOD; count++) pipe.take(frame(1))
    expect(keyFrames).toHaveLength(1)
    clock.nowMs = KEY_FRAME_APART_MS
    for (let count = 0; count < FLOOD; count++) pipe.take(frame(1))
    expect(keyFrames).toHaveLength(2)
  })

  test("holds up no other track, and its own continues", async () => {
    const [ada, bob] = [new Worker(ADA), new Worker(BOB)]
    for (const each of [ada, bob]) await each.secure(three)
    const [flooded, other] = [bob.track("receive", ADA, "screen"), bob.track("receive", ADA)]
    // A key id of an epoch that nobody has.
    for (let count = 0; count < 2 * HELD_MEDIA_FRAMES_MAX; count++)
      await flooded.put(Uint8Array.of(0x90, 0xff, 0x00, 0x01))
    await other.put(...(await sentBy(ada)))
    await expect.poll(() => other.out.length).toBe(1)
    clock.nowMs = 1001
    bob.transforms.look()
    await expect.poll(() => bob.dropped("receive")).toEqual({ late: 2 * HELD_MEDIA_FRAMES_MAX })
    await flooded.put(...(await sentBy(ada, "screen")))
    await expect.poll(() => flooded.out.length).toBe(1)
  })
})
