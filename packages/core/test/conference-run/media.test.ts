import type { View } from "@keymoot/transport"
import { afterEach, expect, test, vi } from "vitest"
import { AdmissionDriver } from "../../src/admission/admission-driver.ts"
import { Conference } from "../../src/client/conference.ts"
import { connectionBehind } from "../../src/client/entering.ts"
import { KeyRenewal } from "../../src/driver/key-renewal.ts"
import { MediaKeys } from "../../src/media/epochs/media-keys.ts"
import type { MediaMember } from "../../src/media/keys/media-view.ts"
import { MediaSignalling } from "../../src/media/signals/media-signalling.ts"
import type { MediaSignal } from "../../src/media/signals/media-signal.ts"
import type { EncodedFrame } from "../../src/media/worker/frame-pipe.ts"
import type { Track } from "../../src/media/worker/frame-cipher.ts"
import { FrameTransforms } from "../../src/media/worker/frame-transforms.ts"
import { ConferenceRuntime } from "../../src/runtime/conference-runtime.ts"
import { portTo } from "../media/fake-workers.ts"
import { Room, securedWith, SERVER } from "./harness.ts"

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

const asMember = ({ id, incarnation }: View["members"][number]): MediaMember => ({ member: id, incarnation })

/** The media worker of an engine, fed as in a browser. */
function mediaWorkerOf(keys: MediaKeys): FrameTransforms {
  const worker = new FrameTransforms({ clock: performance, keyFrames: { take: () => undefined } })
  keys.attach(portTo(worker))
  return worker
}

/** Frames of all tracks in that direction so far, by reason. */
function dropped(worker: FrameTransforms, { direction }: Track): Record<string, number> {
  return { ...worker.counts.find((each) => each.direction === direction)?.dropped }
}

/** Passes one frame through a worker. Returns what comes out, or why it was dropped. */
function pass(worker: FrameTransforms, options: Track, data: ArrayBuffer): Promise<ArrayBuffer | string> {
  let out: ArrayBuffer | null = null
  const before = dropped(worker, options)
  worker.attach({
    options: { ...options, connection: 1 },
    readable: new ReadableStream({ start: (controller) => controller.enqueue({ data }) }),
    writable: new WritableStream<EncodedFrame>({ write: (frame) => void (out = frame.data) }),
  })
  const reason = () =>
    Object.entries(dropped(worker, options)).find(([name, count]) => count !== (before[name] ?? 0))?.[0]
  return vi.waitFor(() => out ?? reason() ?? Promise.reject(new Error("it waits")))
}

/** Carries a frame of `sender` from its worker to that of `receiver`. Returns what arrives. */
async function carry(
  from: FrameTransforms,
  to: FrameTransforms,
  receiver: MediaMember,
  sender: MediaMember,
): Promise<string> {
  const voice = new TextEncoder().encode("a voice").buffer
  const sealed = await pass(from, { direction: "send", peer: receiver, source: "microphone" }, voice)
  if (typeof sealed === "string") return `not sent: ${sealed}`
  const opened = await pass(to, { direction: "receive", peer: sender, source: "microphone" }, sealed)
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
  const [receiver, sender] = [ada, bob].map(({ self }) => asMember(members.find(({ id }) => id === self.id)!))
  await expect.poll(() => carry(atBob, atAda, receiver!, sender!), { timeout: 20_000 }).toBe("a voice")

  await ada.setRole(bob.self.id, "viewer")
  await expect.poll(() => bob.self.role).toBe("viewer")
  await expect.poll(() => carry(atBob, atAda, receiver!, sender!), { timeout: 20_000 }).toBe("not-permitted")
  await ada.setRole(bob.self.id, "editor")
  await expect.poll(() => carry(atBob, atAda, receiver!, sender!), { timeout: 20_000 }).toBe("a voice")
})

test("the frames of a removed member stop both ways before the next view", async () => {
  const engines = vi.spyOn(MediaKeys.prototype, "onAgreeing")
  const runtimes = vi.spyOn(ConferenceRuntime.prototype, "tick")
  const ada = await room.create("Ada")
  const [eve, bob] = [await room.join("Eve", ada.invitation.url), await room.join("Bob", ada.invitation.url)]
  await Promise.all([ada, eve, bob].map((each) => securedWith(each, 3)))
  const of = ({ self }: Conference): ConferenceRuntime =>
    (runtimes.mock.contexts as ConferenceRuntime[]).find(({ info }) => info.self.id === self.id)!
  const [atAda, atEve] = [ada, eve].map((each) => mediaWorkerOf(of(each).layers.mediaKeys)) as [
    FrameTransforms,
    FrameTransforms,
  ]
  const { members } = engines.mock.calls.at(-1)![0]
  const [adasEnd, evesEnd] = [ada, eve].map(({ self }) => members.find(({ id }) => id === self.id)!)
  const both = async (): Promise<string[]> => [
    await carry(atAda, atEve, asMember(evesEnd!), asMember(adasEnd!)),
    await carry(atEve, atAda, asMember(adasEnd!), asMember(evesEnd!)),
  ]
  await expect.poll(both, { timeout: 20_000 }).toEqual(["a voice", "a voice"])
  // Eve's program ignores its removal. Bob sleeps, so the next view takes long.
  atEve.handle = () => null
  Object.assign(of(bob), { tick: () => undefined, handleHost: () => undefined })
  await ada.remove(eve.self.id)
  expect(ada.view.members).toHaveLength(3)
  expect(await both()).toEqual(["not sent: not-permitted", "not-permitted"])
})

test("a call counts as use of the key when nobody writes", async () => {
  const statuses = vi.spyOn(KeyRenewal.prototype, "onStatus")
  const identity = await room.identity("Ada")
  const ada = await Conference.create({ server: SERVER, identity })
  const bob = await room.join("Bob", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(bob, 2)])
  const activity = vi.spyOn(KeyRenewal.prototype, "onActivity")
  const { incarnation } = statuses.mock.lastCall![1].members.find(({ id }) => id === ada.self.id)!
  const signal: MediaSignal = { kind: "state", session: 7, incarnation, sources: [] }
  await connectionBehind(identity).call("media.signal", { id: ada.id, to: [bob.self.id], signal })
  const counts = (): number[] => {
    const { contexts } = activity.mock
    return [...new Set(contexts)].map((renewal) => contexts.filter((each) => each === renewal).length)
  }
  const isUsed = (): boolean => counts().length === 2 && Math.min(...counts()) > 5
  await expect.poll(isUsed, { timeout: 20_000 }).toBe(true)
})

test("a removed member gets no signal of the call, also before the next view", async () => {
  // Each engine is made after the one before has ticked.
  const drivers = vi.spyOn(AdmissionDriver.prototype, "tick")
  const calls = vi.spyOn(MediaSignalling.prototype, "tick")
  const arrived = vi.spyOn(MediaSignalling.prototype, "receive")
  const identity = await room.identity("Ada")
  const ada = await Conference.create({ server: SERVER, identity })
  await securedWith(ada, 1)
  const eve = await room.join("Eve", ada.invitation.url)
  await Promise.all([securedWith(ada, 2), securedWith(eve, 2)])
  const [, evesDriver] = [...new Set(drivers.mock.contexts)]
  const [, evesCall] = [...new Set(calls.mock.contexts)]
  // Eve's program ignores that she was removed, and stays.
  const { receive } = AdmissionDriver.prototype
  vi.spyOn(AdmissionDriver.prototype, "receive").mockImplementation(function (this: AdmissionDriver, ...notice) {
    if (this !== evesDriver) receive.apply(this, notice)
  })
  const signals: readonly MediaSignal[] = [
    { kind: "state", session: 7, incarnation: 1, sources: ["microphone"] },
    { kind: "description", session: 7, attempt: 1, type: "offer", sdp: "v=0" },
    { kind: "candidate", session: 7, attempt: 1, candidate: "candidate:1 1 udp 1 10.0.0.1 9 typ host", section: 0 },
  ]
  const send = async (): Promise<void> => {
    const to = [eve.self.id]
    for (const signal of signals) await connectionBehind(identity).call("media.signal", { id: ada.id, to, signal })
  }
  const atEve = (): number => arrived.mock.contexts.filter((each) => each === evesCall).length
  await send()
  await expect.poll(atEve).toBe(signals.length)
  await ada.remove(eve.self.id)
  await send()
  await expect.poll(() => eve.links.has(ada.self.id), { timeout: 20_000 }).toBe(false)
  expect(atEve()).toBe(signals.length)
})
