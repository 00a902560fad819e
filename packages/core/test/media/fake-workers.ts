/** Media workers of members whose views and keys a test sets. */
import type { MemberId } from "@keymoot/transport"
import { expect } from "vitest"
import {
  isVideo,
  keyIdOf,
  type MediaMember,
  type MediaSource,
  type MediaView,
} from "../../src/media/keys/media-view.ts"
import type { KeyPort } from "../../src/media/epochs/media-keys.ts"
import type { MediaKeyReply } from "../../src/media/keys/key-messages.ts"
import type { Track } from "../../src/media/worker/frame-cipher.ts"
import type { EncodedFrame } from "../../src/media/worker/frame-pipe.ts"
import { FrameTransforms } from "../../src/media/worker/frame-transforms.ts"

export const ADA: MediaMember = { member: "a".repeat(32) as MemberId, incarnation: 1 }
export const BOB: MediaMember = { member: "b".repeat(32) as MemberId, incarnation: 1 }
export const EVE: MediaMember = { member: "e".repeat(32) as MemberId, incarnation: 1 }

export const viewOf = (epoch: number, ...members: MediaMember[]): MediaView => ({ id: `view ${epoch}`, epoch, members })
export const three = viewOf(1, ADA, BOB, EVE)
export const two = viewOf(2, ADA, BOB)

/** The engine's end of a channel to a worker that reads at once. */
export function portTo(worker: FrameTransforms): KeyPort {
  const listeners: ((event: { readonly data: MediaKeyReply }) => void)[] = []
  return {
    postMessage(message) {
      const data = worker.handle(message)
      if (data) for (const listener of listeners) listener({ data })
    },
    addEventListener: (_, listener) => void listeners.push(listener),
    start: () => undefined,
    close: () => undefined,
  }
}

/** All members of a view derive the same keys. */
export async function keysOf(view: MediaView) {
  return Promise.all(
    view.members.map(async (_, index) => ({
      keyId: keyIdOf(view, index),
      salt: new Uint8Array(12).fill(view.epoch),
      key: await crypto.subtle.importKey("raw", new Uint8Array(32).fill(16 * view.epoch + index), "AES-GCM", false, [
        "encrypt",
        "decrypt",
      ]),
    })),
  )
}

/** Time of all workers. A test starts at 0. */
export const clock = { nowMs: 0, now: (): number => clock.nowMs }

/** The media worker of one member, and the browser's ends of its tracks. */
export class Worker {
  readonly transforms: FrameTransforms
  readonly keyFrames: string[] = []

  readonly self: MediaMember

  constructor(self: MediaMember) {
    this.self = self
    this.transforms = new FrameTransforms({
      clock,
      keyFrames: { take: ({ source }) => this.keyFrames.push(`page: ${source}`) },
    })
    this.transforms.handle({ type: "self", self })
  }

  /** Everybody may publish unless the test says otherwise. */
  install(view: MediaView): void {
    this.transforms.handle({ type: "view", view })
    this.permit(...view.members)
  }

  permit(...members: MediaMember[]): void {
    this.transforms.handle({ type: "speakers", members: members.map(({ member }) => member), removed: [] })
  }

  async key(view: MediaView): Promise<void> {
    this.transforms.handle({ type: "keyed", view: view.id, keys: await keysOf(view), firstCounter: 0 })
  }

  async secure(view: MediaView): Promise<void> {
    this.install(view)
    await this.key(view)
    this.transforms.handle({ type: "secured", view: view.id })
  }

  track(
    direction: Track["direction"],
    peer: MediaMember,
    source: MediaSource = "camera",
    connection = 1,
    isPadded = false,
  ) {
    const out: Uint8Array[] = []
    const isDecoded = direction === "receive" && isVideo(source)
    const { readable, writable } = new TransformStream<EncodedFrame, EncodedFrame>(undefined, { highWaterMark: 100 })
    const input = writable.getWriter()
    this.transforms.attach({
      readable,
      writable: new WritableStream({
        write: ({ data }) => void out.push(...(isDecoded ? pictures : Array.of<Uint8Array>)(new Uint8Array(data))),
      }),
      options: { direction, peer, source, connection, isPadded },
      sendKeyFrameRequest: async () => void this.keyFrames.push(`request: ${source}`),
    })
    const put = async (...frames: Uint8Array[]): Promise<void> => {
      for (const frame of frames) await input.write({ data: frame.slice().buffer })
    }
    const putPicture = (type: "key" | "delta", frame: Uint8Array): Promise<void> =>
      input.write({ data: frame.slice().buffer, type })
    return { out, put, putPicture }
  }

  /** Frames that passed under a key that an absent member knows. */
  get formerPassed(): number {
    return this.transforms.counts.reduce((sum, { formerPassed }) => sum + formerPassed, 0)
  }

  /** Sum over all tracks, in one direction. */
  dropped(direction: "send" | "receive"): Record<string, number> {
    const sum: Record<string, number> = {}
    for (const { dropped } of this.transforms.counts.filter((each) => each.direction === direction))
      for (const [reason, count] of Object.entries(dropped)) sum[reason] = (sum[reason] ?? 0) + count
    return sum
  }
}

/** Takes a frame apart as a decoder of VP9 does (Annex B). Without an index, it reads on behind the first picture. */
function pictures(frame: Uint8Array): Uint8Array[] {
  const marker = frame.at(-1)!
  if (marker >> 5 !== 0b110) return [frame, text("what is behind the picture")]
  const [count, bytes] = [1 + (marker & 7), 1 + ((marker >> 3) & 3)]
  let [at, index] = [0, frame.length - 1 - count * bytes]
  expect(frame[index - 1]).toBe(marker)
  return Array.from({ length: count }, () => {
    const size = frame.subarray(index, (index += bytes)).reduceRight((sum, byte) => 256 * sum + byte, 0)
    return frame.slice(at, (at += size))
  })
}

export const text = (words: string): Uint8Array => new TextEncoder().encode(words)
export const hello = text("a picture of somebody")

/** Returns the encrypted frames. */
export async function sentBy(
  worker: Worker,
  source: MediaSource = "camera",
  ...frames: Uint8Array[]
): Promise<Uint8Array[]> {
  const track = worker.track("send", worker.self, source)
  const plain = frames.length > 0 ? frames : [hello]
  await track.put(...plain)
  await expect.poll(() => track.out.length).toBe(plain.length)
  return track.out
}
