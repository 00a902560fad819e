import type { MemberId } from "@keymoot/transport"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { IN_FLIGHT_MS } from "../../../src/media/keys/key-ring.ts"
import { MEDIA_FRAME_BYTES_MAX } from "../../../src/media/sframe/sframe.ts"
import type { EncodedFrame } from "../../../src/media/worker/frame-pipe.ts"
import { FrameTransforms } from "../../../src/media/worker/frame-transforms.ts"
import { SOUND_GAP_MS } from "../../../src/media/worker/sound-reports.ts"
import { SoundPadding } from "../../../src/media/worker/sound-padding.ts"
import { ADA, BOB, clock, EVE, hello, keysOf, sentBy, text, three, two, viewOf, Worker } from "../fake-workers.ts"

let ada: Worker
let bob: Worker

beforeEach(async () => {
  clock.nowMs = 0
  ada = new Worker(ADA)
  bob = new Worker(BOB)
  await ada.secure(three)
  await bob.secure(three)
})

describe("frames of a call", () => {
  test("arrive as they were sent, and carry no plaintext", async () => {
    const frames = Array.from({ length: 20 }, (_, index) => text(`picture ${index}`))
    const sent = await sentBy(ada, "camera", ...frames)
    for (const each of sent) expect(Buffer.from(each).includes("picture")).toBe(false)
    const received = bob.track("receive", ADA)
    await received.put(...sent)
    await expect.poll(() => received.out).toEqual(frames)
  })

  test("pass in any order, and each once", async () => {
    const frames = ["one", "two", "three"].map(text)
    const [one, two, three] = await sentBy(ada, "microphone", ...frames)
    const received = bob.track("receive", ADA, "microphone")
    await received.put(three!, one!, one!, two!, three!)
    await expect.poll(() => bob.dropped("receive")).toEqual({ replayed: 2 })
    expect(received.out).toEqual([frames[2], frames[0], frames[1]])
  })

  test("are sounds of their connection when they arrive, in any state of the keys", async () => {
    const [sealed] = await sentBy(ada, "microphone")
    const [first, second] = [1, 2, 4].map((connection) => bob.track("receive", ADA, "microphone", connection))
    await bob.track("receive", ADA, "camera", 3).put(hello)
    await first!.put(sealed!)
    await second!.put(hello)
    await expect.poll(() => bob.transforms.look()?.size).toBe(2)
    clock.nowMs = SOUND_GAP_MS
    await first!.put(sealed!)
    await expect.poll(() => bob.dropped("receive")).toEqual({ replayed: 1 })
    expect([...bob.transforms.look()!]).toEqual([
      [1, 0],
      [2, SOUND_GAP_MS],
    ])
  })

  test("are equally large if their sound is padded, and can be heard", async () => {
    const sounds = [19, 142, 1].map((bytes) => Uint8Array.of(0x78, ...new Uint8Array(bytes - 1).fill(7)))
    const sent = await sentBy(ada, "microphone", ...sounds)
    expect(new Set(sent.map(({ length }) => length)).size).toBe(3)
    const padded = ada.track("send", ADA, "microphone", 2, true)
    await padded.put(...sounds)
    await expect.poll(() => padded.out.length).toBe(sounds.length)
    expect(new Set(padded.out.map(({ length }) => length)).size).toBe(1)
    const received = bob.track("receive", ADA, "microphone")
    await received.put(...padded.out)
    await expect.poll(() => received.out).toEqual(sounds.map((sound) => new SoundPadding().pad(sound)))
  })

  test("leave no trace of a track without a key", async () => {
    const alone = new Worker(ADA)
    const track = alone.track("send", ADA)
    alone.install(two)
    await track.put(hello)
    await alone.key(two)
    clock.nowMs = 1001
    alone.transforms.look()
    await expect.poll(() => alone.dropped("send")).toEqual({ late: 1 })
    expect(track.out).toEqual([])
    expect(alone.keyFrames).toEqual(["page: camera"])
  })

  test("wait before the engine has named this member", async () => {
    const worker = new FrameTransforms({ clock, keyFrames: { take: () => undefined } })
    const out: Uint8Array[] = []
    const readable = new ReadableStream<EncodedFrame>({
      start: (controller) => controller.enqueue({ data: hello.slice().buffer }),
    })
    const writable = new WritableStream<EncodedFrame>({ write: ({ data }) => void out.push(new Uint8Array(data)) })
    worker.attach({ readable, writable, options: { direction: "send", peer: ADA, source: "camera", connection: 1 } })
    worker.handle({ type: "self", self: ADA })
    worker.handle({ type: "view", view: two })
    worker.handle({ type: "speakers", members: [ADA.member], removed: [] })
    expect(out).toEqual([])
    worker.handle({ type: "keyed", view: two.id, keys: await keysOf(two), firstCounter: 0 })
    worker.handle({ type: "secured", view: two.id })
    await expect.poll(() => out.length).toBe(1)
    expect(Buffer.from(out[0]!).includes("picture")).toBe(false)
  })
})

describe("an attacker", () => {
  test("sends nothing in the name of another when it is a member", async () => {
    // Eve knows Ada's key, and sends Ada's frames over her own connection.
    const eve = new Worker(ADA)
    await eve.secure(three)
    const received = bob.track("receive", EVE)
    await received.put(...(await sentBy(eve)))
    await expect.poll(() => bob.dropped("receive")).toEqual({ "foreign-key": 1 })
    expect(received.out).toEqual([])
  })

  test("plays no frame of one track in another", async () => {
    const frames = await sentBy(ada, "screen")
    const received = bob.track("receive", ADA, "camera")
    await received.put(...frames)
    await expect.poll(() => bob.dropped("receive")).toEqual({ forged: 1 })
    expect(received.out).toEqual([])
  })

  test("gets nothing more when a host has removed it, also before the next view", async () => {
    const sending = ada.track("send", EVE)
    const members = [ADA.member, BOB.member]
    ada.transforms.handle({ type: "speakers", members, removed: [EVE.member] })
    await sending.put(hello)
    await expect.poll(() => ada.dropped("send")).toEqual({ "not-permitted": 1 })
    expect(sending.out).toEqual([])
  })

  test("decrypts nothing sent after the view without it when it was removed", async () => {
    const eve = new Worker(EVE)
    await eve.secure(three)
    const sending = ada.track("send", ADA)
    ada.install(two)
    await sending.put(hello)
    await ada.secure(two)
    ada.transforms.handle({ type: "secured", view: two.id })
    await expect.poll(() => sending.out.length).toBe(1)
    const tapped = eve.track("receive", ADA)
    await tapped.put(...sending.out)
    clock.nowMs = 1001
    eve.transforms.look()
    expect(await eventually(() => eve.dropped("receive"))).toEqual({ late: 1 })
    expect(tapped.out).toEqual([])
  })

  test("is heard by nobody under its old key when it was removed", async () => {
    const eve = new Worker(EVE)
    await eve.secure(three)
    const frames = await sentBy(eve)
    bob.install(two)
    const received = bob.track("receive", EVE)
    await received.put(...frames)
    await expect.poll(() => bob.dropped("receive")).toEqual({ "foreign-key": 1 })
  })

  test("is neither seen nor heard when it is a viewer with a modified program", async () => {
    // Eve's program takes her for somebody who may publish.
    const eve = new Worker(EVE)
    await eve.secure(three)
    const frames = [...(await sentBy(eve)), ...(await sentBy(eve, "microphone"))]
    bob.permit(ADA, BOB)
    const [picture, voice] = [bob.track("receive", EVE), bob.track("receive", EVE, "microphone")]
    await picture.put(frames[0]!)
    await voice.put(frames[1]!)
    await expect.poll(() => bob.dropped("receive")).toEqual({ "not-permitted": 2 })
    expect([...picture.out, ...voice.out]).toEqual([])
    expect(bob.keyFrames).toEqual([])
    bob.permit(ADA, BOB, EVE)
    await voice.put(frames[1]!)
    await expect.poll(() => voice.out).toEqual([hello])
  })

  test("gets no frame to a decoder when it becomes a viewer during decryption", async () => {
    const eve = new Worker(EVE)
    await eve.secure(three)
    const frames = await sentBy(eve)
    const received = bob.track("receive", EVE)
    const opening = vi.spyOn(crypto.subtle, "decrypt").mockImplementationOnce(async (...call) => {
      bob.permit(ADA, BOB)
      opening.mockRestore()
      return crypto.subtle.decrypt(...call)
    })
    await received.put(...frames)
    await expect.poll(() => bob.dropped("receive")).toEqual({ "not-permitted": 1 })
    expect(received.out).toEqual([])
  })

  test("leaves no tracks behind when its connections end", async () => {
    const early = new FrameTransforms({ clock, keyFrames: { take: () => undefined } })
    for (let connection = 1; connection <= 100; connection++) {
      bob.track("receive", EVE, "microphone", connection)
      const { readable, writable } = new TransformStream<EncodedFrame, EncodedFrame>()
      const options = { direction: "receive", peer: EVE, source: "microphone", connection } as const
      early.attach({ readable, writable, options })
      if (connection === 50) continue
      bob.transforms.end(connection)
      early.end(connection)
    }
    early.handle({ type: "self", self: BOB })
    expect([bob.transforms.counts.length, early.counts.length]).toEqual([1, 1])
  })

  test("does not escape its counts when its connections end", async () => {
    for (const connection of [1, 2]) {
      const received = bob.track("receive", EVE, "camera", connection)
      await received.put(text(""), text(""))
      await expect.poll(() => bob.dropped("receive")["malformed"]).toBe(2 * connection)
      bob.transforms.end(connection)
    }
    expect(bob.transforms.counts).toMatchObject([{ peer: EVE, source: "camera", dropped: { malformed: 4 } }])
    bob.install(two)
    expect(bob.transforms.counts).toEqual([])
  })

  test("does not escape its counts when frames wait for a key as a connection ends", async () => {
    const eve = new Worker(EVE)
    await eve.secure(viewOf(9, EVE, BOB))
    const received = bob.track("receive", EVE, "microphone")
    await received.put(...(await sentBy(eve, "microphone", hello, hello)))
    await expect.poll(() => bob.transforms.look()?.get(1)).toBe(0)
    bob.transforms.end(1)
    expect(bob.transforms.counts).toMatchObject([{ keyless: 2, dropped: { late: 2 } }])
  })

  test("cannot make genuine frames look like replays when it forges frames", async () => {
    const [frame] = await sentBy(ada)
    const received = bob.track("receive", ADA)
    const forged = frame!.slice()
    forged[forged.length - 1]! ^= 1
    await received.put(forged, frame!)
    await expect.poll(() => received.out).toEqual([hello])
    expect(bob.dropped("receive")).toEqual({ forged: 1 })
  })

  test("plays no frame twice when it opens a second track of a source", async () => {
    const [frame] = await sentBy(ada)
    const tracks = [bob.track("receive", ADA), bob.track("receive", ADA)]
    await Promise.all(tracks.map((track) => track.put(frame!)))
    await expect.poll(() => bob.dropped("receive")).toEqual({ replayed: 1 })
    expect(tracks.flatMap(({ out }) => out)).toEqual([hello])
  })

  test("decrypts nothing sent before it joined", async () => {
    const before = await sentBy(ada)
    const joined = viewOf(2, ADA, BOB, EVE, { member: "f".repeat(32) as MemberId, incarnation: 1 })
    const newcomer = new Worker(joined.members[3]!)
    await newcomer.secure(joined)
    const tapped = newcomer.track("receive", ADA)
    await tapped.put(...before)
    clock.nowMs = 1001
    newcomer.transforms.look()
    expect(await eventually(() => newcomer.dropped("receive"))).toEqual({ late: 1 })
    expect(tapped.out).toEqual([])
  })

  test("passes no frame to a decoder when its header is malformed, and counts each", async () => {
    const received = bob.track("receive", ADA)
    // Cut off, in more bytes than needed, and beyond 2^53.
    const headers = ["", "ff", "9001", "0901", "90000900", "8007", "0e20000000000000"]
    await received.put(...headers.map((each) => new Uint8Array(Buffer.from(each, "hex"))))
    await expect.poll(() => bob.dropped("receive")).toEqual({ malformed: headers.length })
    expect(received.out).toEqual([])
  })

  test("gets no unencrypted or altered frame to a decoder", async () => {
    const [frame] = await sentBy(ada)
    const altered = frame!.slice()
    altered[altered.length - 1]! ^= 1
    const received = bob.track("receive", ADA)
    await received.put(new Uint8Array(0), hello, altered, Uint8Array.of(0xff))
    clock.nowMs = 1001
    await expect
      .poll(() => (bob.transforms.look(), Object.values(bob.dropped("receive")).reduce((a, b) => a + b, 0)))
      .toBe(4)
    expect(received.out).toEqual([])
    expect(bob.keyFrames).toContain("request: camera")
  })
})

test("sends no frame above the largest, and continues with the next one", async () => {
  const sending = ada.track("send", ADA)
  await sending.put(new Uint8Array(MEDIA_FRAME_BYTES_MAX + 1), hello)
  await expect.poll(() => ada.dropped("send")).toEqual({ "too-large": 1 })
  await expect.poll(() => sending.out.length).toBe(1)
})

test("sends no frame that the cipher fails to encrypt", async () => {
  const failing = vi.spyOn(crypto.subtle, "encrypt").mockRejectedValue(new Error("no memory"))
  const sending = ada.track("send", ADA)
  await sending.put(hello)
  await expect.poll(() => ada.dropped("send")).toEqual({ forged: 1 })
  failing.mockRestore()
  await sending.put(hello)
  await expect.poll(() => sending.out.length).toBe(1)
  expect(Buffer.from(sending.out[0]!).includes("picture")).toBe(false)
})

describe("a frame under a key that an absent member knows", () => {
  const former = async () => {
    const frames = await sentBy(ada, "microphone", hello, hello, hello)
    const received = bob.track("receive", ADA, "microphone")
    await ada.secure(two)
    await bob.secure(two)
    return { frames, received }
  }

  test("is decrypted while it can be in flight, and dropped later", async () => {
    const { frames, received } = await former()
    await received.put(frames[0]!)
    await expect.poll(() => received.out.length).toBe(1)
    expect([bob.formerPassed, ada.formerPassed]).toEqual([1, 0])
    clock.nowMs = IN_FLIGHT_MS
    await received.put(frames[1]!)
    await expect.poll(() => bob.dropped("receive")).toEqual({ "former-key": 1 })
    expect(received.out.length).toBe(1)
  })

  test("is dropped after a frame of its source under the next key", async () => {
    const { frames, received } = await former()
    const [next] = await sentBy(ada, "microphone")
    await received.put(frames[0]!, next!, frames[1]!)
    await expect.poll(() => bob.dropped("receive")).toEqual({ "former-key": 1 })
    expect(received.out.length).toBe(2)
  })

  test("is decrypted when it came in time and waits for its turn", async () => {
    const { frames, received } = await former()
    clock.nowMs = IN_FLIGHT_MS - 1
    const opening = vi.spyOn(crypto.subtle, "decrypt").mockImplementationOnce(async (...call) => {
      opening.mockRestore()
      await received.put(frames[1]!)
      clock.nowMs = IN_FLIGHT_MS
      return crypto.subtle.decrypt(...call)
    })
    await received.put(frames[0]!)
    await expect.poll(() => received.out).toEqual([hello, hello])
    expect(bob.dropped("receive")).toEqual({})
  })
})

test("drops the frames of a member that has become a viewer before they leave", async () => {
  const sending = ada.track("send", ADA)
  ada.permit(BOB, EVE)
  await sending.put(hello)
  await expect.poll(() => ada.dropped("send")).toEqual({ "not-permitted": 1 })
  expect(sending.out).toEqual([])
})

test("counts a track in one sum when a second connection carries it too", async () => {
  for (const connection of [1, 2, 3]) {
    const received = bob.track("receive", ADA, "microphone", connection)
    await received.put(...(await sentBy(ada, "microphone")))
    await expect.poll(() => bob.transforms.counts).toMatchObject([{ peer: ADA, passed: connection }])
    bob.transforms.end(connection - 1)
    expect(bob.transforms.counts).toMatchObject([{ peer: ADA, passed: connection }])
  }
})

test("forgets the counts of a member when its connection ends after it has left", () => {
  const again = { ...EVE, incarnation: 2 }
  bob.track("receive", EVE, "camera", 1)
  bob.install(viewOf(2, ADA, BOB, again))
  bob.track("receive", again, "camera", 2)
  bob.transforms.end(1)
  expect(bob.transforms.counts.map(({ peer }) => peer)).toEqual([again])
})

test("drops no frame that waits for the cipher", async () => {
  const sending = ada.track("send", ADA, "microphone")
  const sealing = vi.spyOn(crypto.subtle, "encrypt").mockImplementationOnce(async (...call) => {
    sealing.mockRestore()
    await sending.put(hello)
    clock.nowMs = 500
    ada.transforms.look()
    return crypto.subtle.encrypt(...call)
  })
  await sending.put(hello)
  await expect.poll(() => sending.out.length).toBe(2)
  expect(ada.dropped("send")).toEqual({})
})

test("drops frames that waited for a key too long, also if nothing looked meanwhile", async () => {
  const waiting = new Worker(ADA)
  waiting.install(two)
  await waiting.key(two)
  const sending = waiting.track("send", BOB, "microphone")
  await sending.put(hello)
  await expect.poll(() => waiting.transforms.counts.length).toBe(1)
  clock.nowMs = 500
  waiting.transforms.handle({ type: "secured", view: two.id })
  await expect.poll(() => waiting.dropped("send")).toEqual({ late: 1 })
  expect(sending.out).toEqual([])
})

test("drops pictures that build on a late one, up to the next key frame", async () => {
  const waiting = new Worker(ADA)
  waiting.install(two)
  await waiting.key(two)
  const sending = waiting.track("send", BOB)
  await sending.putPicture("delta", text("late"))
  await expect.poll(() => waiting.transforms.counts.length).toBe(1)
  clock.nowMs = 900
  await sending.putPicture("delta", text("builds on it"))
  clock.nowMs = 1001
  waiting.transforms.look()
  await expect.poll(() => waiting.dropped("send")).toEqual({ late: 1 })
  // The requested key frame may come to nothing: there is no key yet.
  expect(waiting.keyFrames).toEqual(["page: camera"])
  waiting.transforms.handle({ type: "secured", view: two.id })
  await expect.poll(() => waiting.dropped("send")).toEqual({ late: 2 })
  expect(waiting.keyFrames).toEqual(["page: camera", "page: camera"])
  await sending.putPicture("delta", text("builds on it too"))
  await sending.putPicture("key", text("new"))
  await sending.putPicture("delta", text("builds on the new one"))
  await expect.poll(() => sending.out.length).toBe(2)
  expect(waiting.dropped("send")).toEqual({ late: 3 })
})

test("counts frames under a key that nobody has, and plays those behind them", async () => {
  const eve = new Worker(EVE)
  await eve.secure(viewOf(9, EVE, BOB))
  const received = bob.track("receive", EVE, "microphone")
  await received.put(...(await sentBy(eve, "microphone", hello, hello)))
  await expect.poll(() => bob.transforms.counts.length).toBe(1)
  clock.nowMs = 121
  const honest = new Worker(EVE)
  await honest.secure(three)
  await received.put(...(await sentBy(honest, "microphone")))
  await expect.poll(() => received.out).toEqual([hello])
  expect(bob.dropped("receive")).toEqual({ late: 2 })
  expect(bob.transforms.counts.map(({ keyless }) => keyless)).toEqual([2])
})

test("keeps frames that overtake their key", async () => {
  await ada.secure(two)
  const sent = await sentBy(ada, "microphone")
  const received = bob.track("receive", ADA, "microphone")
  bob.install(two)
  await received.put(...sent)
  clock.nowMs = 100
  bob.transforms.look()
  await bob.key(two)
  await expect.poll(() => received.out).toEqual([hello])
})

/** The value once something was dropped. */
async function eventually(read: () => Record<string, number>): Promise<Record<string, number>> {
  await expect.poll(() => Object.keys(read()).length).toBeGreaterThan(0)
  return read()
}
