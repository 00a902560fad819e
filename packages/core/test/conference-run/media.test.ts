import { afterEach, expect, test, vi } from "vitest"
import { MediaKeys } from "../../src/media/epochs/media-keys.ts"
import type { MediaMember } from "../../src/media/keys/index.ts"
import type { EncodedFrame } from "../../src/media/worker/frame-pipe.ts"
import type { Track } from "../../src/media/worker/frame-cipher.ts"
import { FrameTransforms } from "../../src/media/worker/frame-transforms.ts"
import { portTo } from "../media/fake-workers.ts"
import { Room, securedWith } from "./harness.ts"

const room = new Room()
afterEach(async () => {
  vi.restoreAllMocks()
  await room.close()
})

test("a call is refused in Node with the reason", async () => {
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const { media } = bob
  const states: string[] = []
  media.on("change", () => states.push(media.state))
  await expect(media.enter()).rejects.toMatchObject({
    code: "unsupported-browser",
    message: "Voice and video work in browsers only.",
  })
  const changes = [media.state, ...states].filter((state, i, all) => state !== all[i - 1])
  expect(changes).toEqual(["out", "entering", "out"])
  expect(media.participants).toEqual([])
  await expect(media.publish("camera", {} as MediaStreamTrack)).rejects.toMatchObject({ code: "closed" })
})

/** The media worker of an engine, fed as in a browser. */
function mediaWorkerOf(keys: MediaKeys): FrameTransforms {
  const worker = new FrameTransforms({ clock: performance, needsKeyFrame: () => undefined })
  keys.attach(portTo(worker))
  return worker
}

/** Passes one frame through a worker. Returns what comes out, or why it was dropped. */
function pass(worker: FrameTransforms, options: Track, data: ArrayBuffer): Promise<ArrayBuffer | string> {
  let out: ArrayBuffer | null = null
  worker.attach({
    options,
    readable: new ReadableStream({ start: (controller) => controller.enqueue({ data }) }),
    writable: new WritableStream<EncodedFrame>({ write: (frame) => void (out = frame.data) }),
  })
  return vi.waitFor(() => out ?? Object.keys(worker.counts.at(-1)!.dropped)[0] ?? Promise.reject(new Error("it waits")))
}

/** Carries a frame from one member to another. Returns what arrives. */
async function carry(from: FrameTransforms, to: FrameTransforms, peer: MediaMember): Promise<string> {
  const sealed = await pass(
    from,
    { direction: "send", peer, source: "microphone" },
    new TextEncoder().encode("a voice").buffer,
  )
  if (typeof sealed === "string") return `not sent: ${sealed}`
  const opened = await pass(to, { direction: "receive", peer, source: "microphone" }, sealed)
  return typeof opened === "string" ? opened : new TextDecoder().decode(opened)
}

test("the frames of a member stop at all others when a host makes it a viewer", async () => {
  const engines = vi.spyOn(MediaKeys.prototype, "onAgreeing")
  const ada = await room.create("Ada")
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const [adas, bobs] = [...new Set(engines.mock.contexts as MediaKeys[])]
  const [atAda, atBob] = [mediaWorkerOf(adas!), mediaWorkerOf(bobs!)]
  // Bob's own program has an eye on his role too. This one has not.
  const handle = atBob.handle.bind(atBob)
  const all = [ada.self.id, bob.self.id]
  atBob.handle = (message) => handle(message.type === "speakers" ? { ...message, members: all } : message)
  const members = engines.mock.calls.at(-1)![0].members
  const sender = { member: bob.self.id, incarnation: members.find(({ id }) => id === bob.self.id)!.incarnation }
  await expect.poll(() => carry(atBob, atAda, sender), { timeout: 20_000 }).toBe("a voice")

  await ada.setRole(bob.self.id, "viewer")
  await expect.poll(() => bob.self.role).toBe("viewer")
  await expect.poll(() => carry(atBob, atAda, sender), { timeout: 20_000 }).toBe("not-permitted")
  await ada.setRole(bob.self.id, "editor")
  await expect.poll(() => carry(atBob, atAda, sender), { timeout: 20_000 }).toBe("a voice")
})
