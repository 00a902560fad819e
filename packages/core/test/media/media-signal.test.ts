import { decodeDirect, type MemberId } from "@keymoot/transport"
import { decoder, Random, tryDecoders } from "@keymoot/transport/testing"
import { describe, expect, test } from "vitest"
import {
  decodeMediaSignal,
  encodeMediaSignal,
  isMediaSignal,
  MEDIA_SDP_BYTES_MAX,
  type MediaSignal,
} from "../../src/media/signals/media-signal.ts"
import { MEDIA_SIGNALS_BURST, MediaSignalling } from "../../src/media/signals/media-signalling.ts"
import { encodeFileMessage } from "../../src/files/messages.ts"

const BOB = "b".repeat(32) as MemberId
const signals: readonly MediaSignal[] = [
  { kind: "state", session: 0, incarnation: 2 ** 40, sources: [] },
  { kind: "state", session: 0xffffffff, incarnation: 1, sources: ["microphone", "screen-audio"] },
  { kind: "description", session: 7, attempt: 1, type: "offer", sdp: "v=0\r\nü" },
  { kind: "description", session: 7, attempt: 1, type: "answer", sdp: "x".repeat(MEDIA_SDP_BYTES_MAX) },
  { kind: "candidate", session: 7, attempt: 2, candidate: "candidate:1 1 udp 1 10.0.0.1 9 typ host", section: 3 },
  { kind: "wanted", session: 9, sources: ["camera", "screen"], large: ["screen"] },
  { kind: "request", session: 9, request: "mute" },
  { kind: "request", session: 9, request: "unmute" },
  { kind: "unheard", session: 9, attempt: 3 },
]

describe("a message about a call", () => {
  test("comes back from its bytes, which no message about files has", () => {
    for (const signal of signals) {
      const bytes = encodeMediaSignal(signal)
      expect(isMediaSignal(bytes)).toBe(true)
      expect(decodeMediaSignal(bytes)).toEqual(signal)
    }
    expect(isMediaSignal(encodeFileMessage({ kind: "stop", file: "0".repeat(32) }))).toBe(false)
  })

  test("is refused when truncated, continued or altered", () => {
    for (const signal of signals.slice(0, 3)) {
      const bytes = encodeMediaSignal(signal)
      if (signal.kind === "state") {
        expect(decodeMediaSignal(bytes.subarray(0, -1))).toBeNull()
        expect(decodeMediaSignal(Uint8Array.of(...bytes, 0))).toBeNull()
      }
      for (const [at, value] of [
        [0, 1],
        [1, 9],
      ] as const)
        expect(decodeMediaSignal(bytes.with(at, value))).toBeNull()
    }
    const [state, , description] = signals.map(encodeMediaSignal)
    expect(decodeMediaSignal(state!.with(state!.length - 1, 16))).toBeNull()
    expect(decodeMediaSignal(description!.with(description!.length - 1, 0xff))).toBeNull()
    expect(decodeMediaSignal(encodeMediaSignal(signals[4]!).with(10, 4))).toBeNull()
    for (const signal of signals.slice(5)) {
      const bytes = encodeMediaSignal(signal)
      expect(decodeMediaSignal(bytes.subarray(0, -1))).toBeNull()
      expect(decodeMediaSignal(Uint8Array.of(...bytes, 0))).toBeNull()
      // Any number is an attempt.
      if (signal.kind !== "unheard") expect(decodeMediaSignal(bytes.with(bytes.length - 1, 16))).toBeNull()
    }
  })

  test("throws nothing and has one form when mutated bytes arrive", () => {
    const short = signals.filter((signal) => encodeMediaSignal(signal).length < 100)
    const decoders = { signal: decoder(short, encodeMediaSignal, decodeMediaSignal) }
    expect(tryDecoders(new Random(3), decoders, 2000).get("signal")).toBeGreaterThan(400)
  })

  test("is not made with a description that no link can carry", () => {
    const sdp = "x".repeat(MEDIA_SDP_BYTES_MAX + 1)
    expect(() => encodeMediaSignal({ kind: "description", session: 1, attempt: 1, type: "offer", sdp })).toThrow(
      RangeError,
    )
  })
})

describe("signals between page and members", () => {
  const open = () => {
    const [sent, emitted, reported, unheard]: [unknown[], unknown[], string[], unknown[]] = [[], [], [], []]
    const signalling = new MediaSignalling(
      {
        unheard: (member) => unheard.push(member),
        send: (to, bytes) => (sent.push([to, decodeMediaSignal(decodeDirect(bytes)!)]), true),
      },
      { isInside: (member) => member === BOB },
    )
    const receive = (bytes: Uint8Array): void => {
      const output = signalling.receive(BOB, bytes)
      if (output.type === "media") emitted.push(output.signal)
      else reported.push(output.code)
    }
    signalling.tick(0)
    return { signalling, receive, sent, emitted, reported, unheard }
  }

  test("pass both ways, and a malformed one is reported", () => {
    const { signalling, receive, sent, emitted, reported } = open()
    signalling.send([BOB], signals[0]!)
    receive(encodeMediaSignal(signals[1]!))
    receive(Uint8Array.of(2, 9))
    expect([sent, emitted, reported]).toEqual([[[BOB, signals[0]]], [signals[1]], ["bad-frame"]])
  })

  test("reach the link and no member when they report a missing voice", () => {
    const { signalling, sent, unheard } = open()
    signalling.unheard(BOB)
    expect([unheard, sent]).toEqual([[BOB], []])
  })

  test("show a call until this member and the others have left it", () => {
    const { signalling, receive } = open()
    const state = (session: number, incarnation = 1): MediaSignal => ({
      kind: "state",
      session,
      incarnation,
      sources: [],
    })
    const isCall = (incarnation = 1): boolean => signalling.isCall([{ id: BOB, incarnation }])
    expect(isCall()).toBe(false)
    receive(encodeMediaSignal(state(7)))
    expect([isCall(), isCall(2), signalling.isCall([])]).toEqual([true, false, false])
    receive(encodeMediaSignal(state(0)))
    expect(isCall()).toBe(false)
    signalling.send([BOB], state(9))
    expect(isCall()).toBe(true)
    signalling.send([BOB], state(0))
    expect(isCall()).toBe(false)
  })

  test("stop at the bound when one member floods, and continue later", () => {
    const { signalling, receive, emitted, reported } = open()
    const bytes = encodeMediaSignal(signals[0]!)
    for (let i = 0; i < MEDIA_SIGNALS_BURST + 10; i++) receive(bytes)
    expect(emitted).toHaveLength(MEDIA_SIGNALS_BURST)
    expect(new Set(reported)).toEqual(new Set(["flooding"]))
    signalling.tick(1000)
    receive(bytes)
    expect(emitted).toHaveLength(MEDIA_SIGNALS_BURST + 1)
  })
})
