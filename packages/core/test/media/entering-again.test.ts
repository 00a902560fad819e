/** A member leaves the call and enters it again. The view, and so its key, stays the same. */
import type { MemberId, View } from "@keymoot/transport"
import { expect, test, vi } from "vitest"
import { MediaKeys } from "../../src/media/epochs/media-keys.ts"
import type { MediaMember } from "../../src/media/keys/media-view.ts"
import { decodeSFrameHeader } from "../../src/media/sframe/sframe-header.ts"
import type { Track } from "../../src/media/worker/frame-cipher.ts"
import type { EncodedFrame } from "../../src/media/worker/frame-pipe.ts"
import { FrameTransforms } from "../../src/media/worker/frame-transforms.ts"
import { portTo } from "./fake-workers.ts"

const [ADA, BOB] = ["a", "b"].map((letter) => {
  return { member: letter.repeat(32) as MemberId, incarnation: 1 }
}) as [MediaMember, MediaMember]
const ENTRIES = 3

/** Used part of a view of both. */
function viewOf(epoch: number): View {
  const members = [ADA, BOB].map(({ member, incarnation }) => ({ id: member, incarnation }))
  return { id: String(epoch).repeat(64), epoch, members } as unknown as View
}

/** An engine, and the media worker of its present call. */
class Person {
  readonly #keys: MediaKeys
  #worker: FrameTransforms | null = null

  constructor(self: MediaMember) {
    const fail = (error: unknown): never => {
      throw error
    }
    this.#keys = new MediaKeys({ self, rules: { role: () => "editor", isRemoved: () => false }, faults: { fail } })
  }

  secure(epoch: number): void {
    const view = viewOf(epoch)
    this.#keys.onAgreeing(view)
    this.#keys.onKeyed(view, new Uint8Array(32).fill(epoch))
    this.#keys.onSecured(view)
  }

  /** Each entry has a worker of its own. */
  enter(): void {
    const worker = new FrameTransforms({ clock: { now: () => 0 }, keyFrames: { take: () => undefined } })
    this.#worker = worker
    this.#keys.attach(portTo(worker))
  }

  async pass(direction: Track["direction"], frame: Uint8Array): Promise<Uint8Array> {
    const out: Uint8Array[] = []
    const worker = this.#worker!
    worker.attach({
      options: { direction, peer: ADA, source: "microphone", connection: 1 },
      readable: new ReadableStream({ start: (frames) => frames.enqueue({ data: frame.slice().buffer }) }),
      writable: new WritableStream<EncodedFrame>({ write: ({ data }) => void out.push(new Uint8Array(data)) }),
    })
    const dropped = (): string[] => Object.keys(worker.counts.at(-1)!.dropped)
    await vi.waitFor(() => expect([...out, ...dropped()]).toHaveLength(1))
    expect(dropped()).toEqual([])
    return out[0]!
  }
}

function ada(): Person {
  const person = new Person(ADA)
  person.secure(1)
  return person
}

test("no key and counter seal two frames when a member enters the call again", async () => {
  const sender = ada()
  const used: string[] = []
  for (let entry = 0; entry < ENTRIES; entry++) {
    sender.enter()
    for (const word of ["one", "two"]) {
      const sealed = await sender.pass("send", new TextEncoder().encode(`${word} in entry ${entry}`))
      const { keyId, counter } = decodeSFrameHeader(sealed)!.header
      used.push(`${keyId} ${counter}`)
    }
    if (entry === 1) sender.secure(2)
  }
  expect(new Set(used).size).toBe(used.length)
})

test("a member that enters the call again is heard from its first frame on", async () => {
  const [sender, receiver] = [ada(), new Person(BOB)]
  receiver.secure(1)
  receiver.enter()
  for (let entry = 0; entry < ENTRIES; entry++) {
    sender.enter()
    const words = new TextEncoder().encode(`entry ${entry}`)
    expect(await receiver.pass("receive", await sender.pass("send", words))).toEqual(words)
  }
})
