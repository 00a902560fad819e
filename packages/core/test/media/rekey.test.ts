/** Frames of a call while members come and go, in virtual time: every 20 ms one of audio, every 33 ms one of video. */
import type { MemberId } from "@keymoot/transport"
import { describe, expect, test } from "vitest"
import { keyIdOf, type MediaMember, type MediaSource, type MediaView } from "../../src/media/keys/media-view.ts"
import type { SFrameKey } from "../../src/media/sframe/sframe.ts"
import { FrameCipher } from "../../src/media/worker/frame-cipher.ts"
import { type EncodedFrame, FramePipe } from "../../src/media/worker/frame-pipe.ts"

const [ADA, BOB] = ["a", "b"].map((letter) => {
  return { member: letter.repeat(32) as MemberId, incarnation: 1 }
}) as [MediaMember, MediaMember]

const CHANGES = 15
const APART_MS = 1000
/** From the view to the last proof of the key, without the lateness. */
const AGREEMENT_MS = 150
const ONE_WAY_MS = 50
const AUDIO_HOLD_MS = 120
const FRAME_MS = { microphone: 20, camera: 33 } as const
const BYTES = 100

/** The keys of a view, with a tag of 16 bytes that only the same key makes. */
function keysOf(view: MediaView): SFrameKey[] {
  return view.members.map((_, index) => {
    const keyId = keyIdOf(view, index)
    const tag = new Uint8Array(16).fill(keyId % 251)
    return {
      keyId,
      salt: new Uint8Array(12),
      cipher: {
        seal: async (_nonce, _associated, plaintext) => Uint8Array.of(...plaintext, ...tag),
        open: async (_nonce, _associated, sealed) => (sealed.at(-1) === tag[0] ? sealed.subarray(0, -16) : null),
      },
    }
  })
}

/**
 * `reason`: why the view changes. `lateMs`: the key comes so much later at one of the two. `worker`: it comes later to
 * the receiver's media worker only, after the receiver has proved it.
 */
type Course = {
  readonly reason: "join" | "leave"
  readonly lateMs: number
  readonly late: "sender" | "receiver" | "worker"
}

/** Ada sends to Bob while fifteen guests come, or go. */
class Meeting {
  readonly arrivals: Record<MediaSource, number[]> = { microphone: [], camera: [], screen: [], "screen-audio": [] }
  readonly sent: Record<"microphone" | "camera", number> = { microphone: 0, camera: 0 }
  readonly #ada = new FrameCipher(ADA)
  readonly #bob = new FrameCipher(BOB)
  readonly #tasks: { readonly atMs: number; readonly run: () => void }[] = []
  readonly pipes: FramePipe[] = []
  nowMs = 0

  constructor(course: Course) {
    for (const source of ["microphone", "camera"] as const) this.#track(source)
    const isJoin = course.reason === "join"
    const before = { id: "before", epoch: 0, members: [ADA, BOB, ...guests(isJoin ? 0 : CHANGES)] }
    this.#change(-APART_MS, before, { ...course, lateMs: 0 })
    for (let i = 1; i <= CHANGES; i++) {
      const members = [ADA, BOB, ...guests(isJoin ? i : CHANGES - i)]
      this.#change((i - 1) * APART_MS, { id: `view ${i}`, epoch: i, members }, course)
    }
  }

  #track(source: "microphone" | "camera"): void {
    const pipe = (cipher: FrameCipher, direction: "send" | "receive", write: (frame: EncodedFrame) => void) => {
      const made = new FramePipe({
        track: { direction, source, peer: ADA },
        cipher,
        padding: null,
        writer: { write: async (frame) => write(frame!) },
        clock: { now: () => this.nowMs },
        keyFrames: { take: () => undefined },
      })
      this.pipes.push(made)
      return made
    }
    const receiving = pipe(this.#bob, "receive", () => this.arrivals[source].push(this.nowMs))
    const sending = pipe(this.#ada, "send", (frame) => this.#at(this.nowMs + ONE_WAY_MS, () => receiving.take(frame)))
    for (let atMs = 0; atMs < (CHANGES + 1) * APART_MS; atMs += FRAME_MS[source])
      this.#at(atMs, () => {
        this.sent[source]++
        sending.take({ data: new ArrayBuffer(BYTES) })
      })
  }

  /** Ada installs a view first, and Bob one way later. A member is secured one way after the last one has the key. */
  #change(atMs: number, view: MediaView, { lateMs, late }: Course): void {
    const speakers = view.members.map(({ member }) => member)
    const keyedMs = { sender: atMs + AGREEMENT_MS - ONE_WAY_MS, receiver: atMs + AGREEMENT_MS - ONE_WAY_MS }
    if (late !== "worker") keyedMs[late] += lateMs
    const securedMs = { sender: Math.max(keyedMs.sender, keyedMs.receiver) + ONE_WAY_MS, receiver: 0 }
    securedMs.receiver = securedMs.sender
    if (late === "worker") {
      keyedMs.receiver += lateMs
      securedMs.receiver = Math.max(securedMs.receiver, keyedMs.receiver)
    }
    for (const [cipher, who, installedMs] of [
      [this.#ada, "sender", atMs],
      [this.#bob, "receiver", atMs + ONE_WAY_MS],
    ] as const) {
      this.#at(installedMs, () => {
        cipher.step({ type: "view", view })
        cipher.step({ type: "speakers", members: speakers, removed: [] })
      })
      this.#at(keyedMs[who], () => cipher.step({ type: "keyed", view: view.id, keys: keysOf(view), firstCounter: 0 }))
      this.#at(securedMs[who], () => cipher.step({ type: "secured", view: view.id, nowMs: this.nowMs }))
    }
  }

  #at(atMs: number, run: () => void): void {
    this.#tasks.push({ atMs, run })
  }

  async play(): Promise<this> {
    for (this.nowMs = -APART_MS; this.nowMs < (CHANGES + 3) * APART_MS; this.nowMs += 1) {
      for (const due of this.#tasks.filter(({ atMs }) => atMs === this.nowMs)) due.run()
      for (const cipher of [this.#ada, this.#bob]) cipher.step({ type: "tick", nowMs: this.nowMs })
      for (const pipe of this.pipes) if (pipe.isHolding) void pipe.drain()
      // The ciphers of this test answer within a few microtasks.
      await settle()
    }
    return this
  }

  lost(source: "microphone" | "camera"): number {
    return this.sent[source] - this.arrivals[source].length
  }

  /** Longest time between two frames of audio. */
  get gapMs(): number {
    const { microphone } = this.arrivals
    return Math.max(...microphone.slice(1).map((atMs, i) => atMs - microphone[i]!))
  }
}

function guests(count: number): MediaMember[] {
  return Array.from({ length: count }, (_, index) => ({
    member: index.toString(16).padStart(32, "0") as MemberId,
    incarnation: 1,
  }))
}

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve()
}

describe.each([0, 100, 300])("with a key that is %i ms late", (lateMs) => {
  describe.each(["sender", "receiver", "worker"] as const)("at the %s", (late) => {
    test("no frame is lost when fifteen members join within fifteen seconds", async () => {
      const meeting = await new Meeting({ reason: "join", lateMs, late }).play()
      expect([meeting.lost("camera"), meeting.lost("microphone")]).toEqual([0, 0])
      expect(meeting.gapMs).toBe(FRAME_MS.microphone)
    })

    test("no video and little audio is lost when fifteen members leave", async () => {
      const meeting = await new Meeting({ reason: "leave", lateMs, late }).play()
      expect(meeting.lost("camera")).toBe(0)
      const agreementMs = AGREEMENT_MS + lateMs
      // Audio that is younger than the hold goes out with the new key.
      expect(meeting.gapMs).toBeLessThanOrEqual(agreementMs + AUDIO_HOLD_MS)
      const tooOldMs = Math.max(0, agreementMs - AUDIO_HOLD_MS)
      expect(meeting.lost("microphone")).toBeLessThanOrEqual(CHANGES * Math.ceil(tooOldMs / FRAME_MS.microphone))
      expect(meeting.pipes.map(({ dropped }) => dropped["former-key"])).toEqual(Array(4).fill(undefined))
    })
  })
})
