import * as fc from "fast-check"
import { describe, expect, test, vi } from "vitest"
import {
  FRAME_BYTES_MAX,
  MESSAGE_BYTES_MAX,
  PACKET_FRAME_BYTES_MAX,
  REPLAY_WINDOW_FRAMES,
} from "../../../src/bounds/network-bounds.ts"
import { HOP_FRAME_KIND, HopOpener, HopSealer, UNRELIABLE_FRAME_KIND } from "../../../src/network/association/hop.ts"
import { nobleHopCipher } from "../../../src/network/shared/hop-cipher.ts"
import { packParcels, Unpacker } from "../../../src/network/association/channel.ts"

type Kind = typeof HOP_FRAME_KIND | typeof UNRELIABLE_FRAME_KIND
const direction = { key: new Uint8Array(32).fill(1), associationId: new Uint8Array(8).fill(7), cipher: nobleHopCipher }
const sealer = (kind: Kind = HOP_FRAME_KIND) => new HopSealer({ ...direction, kind })
const opener = (kind: Kind = HOP_FRAME_KIND) => new HopOpener({ ...direction, kind })
const copy = (frame: Uint8Array): Uint8Array => frame.slice()
const FRAME_SIZES = [PACKET_FRAME_BYTES_MAX, FRAME_BYTES_MAX]
const packMessages = (messages: readonly Uint8Array[], frameBytesMax = FRAME_BYTES_MAX) =>
  packParcels(
    messages.map((bytes) => ({ control: false, bytes })),
    copy,
    frameBytesMax,
  )

describe("a sealed frame", () => {
  test("is opened once and in its turn, and never else", () => {
    const from = sealer()
    const [first, second, third] = [1, 2, 3].map((byte) => from.seal(Uint8Array.of(byte))) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ]
    const to = opener()
    expect(to.open(second)).toEqual({ refused: "gap" })
    expect(to.open(first)).toEqual(Uint8Array.of(1))
    expect(to.open(first)).toEqual({ refused: "replayed" })
    expect(to.open(third)).toEqual({ refused: "gap" })
    expect(to.open(second)).toEqual(Uint8Array.of(2))
    expect(to.open(third)).toEqual(Uint8Array.of(3))
  })

  test("is refused when it belongs to another association", () => {
    const other = new HopSealer({ ...direction, kind: HOP_FRAME_KIND, associationId: new Uint8Array(8) })
    expect(opener().open(other.seal(Uint8Array.of(1)))).toEqual({ refused: "other-association" })
    const otherKey = new HopSealer({ ...direction, kind: HOP_FRAME_KIND, key: new Uint8Array(32) })
    expect(opener().open(otherKey.seal(Uint8Array.of(1)))).toEqual({ refused: "forged" })
  })

  test("is refused when cut at any length, lengthened, or changed in any bit", () => {
    const frame = sealer().seal(Uint8Array.from({ length: 40 }, (_, index) => index))
    for (let length = 0; length < frame.length; length++)
      expect(opener().open(frame.slice(0, length))).toHaveProperty("refused")
    expect(opener().open(Uint8Array.of(...frame, 0))).toEqual({ refused: "forged" })
    for (let bit = 0; bit < frame.length * 8; bit++) {
      const changed = frame.slice()
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(opener().open(changed)).toHaveProperty("refused")
    }
    expect(opener().open(new Uint8Array(FRAME_BYTES_MAX * 2))).toEqual({ refused: "malformed" })
  })

  test("is refused as the other kind, though the association is the same", () => {
    expect(opener().open(sealer(UNRELIABLE_FRAME_KIND).seal(Uint8Array.of(1)))).toEqual({ refused: "malformed" })
    const relabelled = sealer(UNRELIABLE_FRAME_KIND).seal(Uint8Array.of(1))
    relabelled[0] = HOP_FRAME_KIND
    expect(opener().open(relabelled)).toEqual({ refused: "forged" })
  })
})

describe("a sealed unreliable frame", () => {
  test("is opened in any order and after any loss, and never twice", () => {
    const from = sealer(UNRELIABLE_FRAME_KIND)
    const frames = Array.from({ length: 3 * REPLAY_WINDOW_FRAMES }, (_, index) => from.seal(Uint8Array.of(index & 255)))
    fc.assert(
      fc.property(fc.array(fc.nat(frames.length - 1), { maxLength: 60 }), (arrivals) => {
        const to = opener(UNRELIABLE_FRAME_KIND)
        const opened = new Set<number>()
        let highest = -1
        for (const arrival of arrivals) {
          const tooOld = arrival <= highest - REPLAY_WINDOW_FRAMES
          const expected = opened.has(arrival) || tooOld ? { refused: "replayed" } : Uint8Array.of(arrival & 255)
          expect(to.open(frames[arrival]!)).toEqual(expected)
          opened.add(arrival)
          highest = Math.max(highest, arrival)
        }
      }),
      { numRuns: 200 },
    )
  })

  test("does not move the window when it is forged, and the genuine one opens", () => {
    const frame = sealer(UNRELIABLE_FRAME_KIND).seal(Uint8Array.of(1))
    const to = opener(UNRELIABLE_FRAME_KIND)
    expect(to.open(frame.with(20, frame[20]! ^ 1))).toEqual({ refused: "forged" })
    const far = frame.slice()
    new DataView(far.buffer).setBigUint64(9, 2n ** 52n)
    expect(to.open(far)).toEqual({ refused: "forged" })
    expect(to.open(frame)).toEqual(Uint8Array.of(1))
  })
})

describe("messages packed into frames", () => {
  const unpackAll = (frames: readonly Uint8Array[]): Uint8Array[] => {
    const unpacker = new Unpacker()
    return frames.flatMap((frame) => {
      const messages = unpacker.unpack(frame)
      if ("refused" in messages) throw new Error(messages.refused)
      return messages.map(({ bytes }) => bytes)
    })
  }

  test("come out as they went in, with any lengths", () => {
    const length = fc.oneof(
      fc.nat(40),
      fc.integer({ min: FRAME_BYTES_MAX / 2 - 20, max: FRAME_BYTES_MAX / 2 + 20 }),
      fc.integer({ min: FRAME_BYTES_MAX - 20, max: FRAME_BYTES_MAX + 20 }),
      fc.nat(100_000),
    )
    fc.assert(
      fc.property(fc.array(length, { maxLength: 12 }), fc.constantFrom(...FRAME_SIZES), (lengths, frameBytesMax) => {
        const messages = lengths.map((each, index) => new Uint8Array(each).fill(index + 1))
        const frames = packMessages(messages, frameBytesMax)
        expect(frames.every((frame) => frame.length <= frameBytesMax)).toBe(true)
        expect(unpackAll(frames)).toEqual(messages)
      }),
      { numRuns: 100 },
    )
  })

  test("are independent of their frames' loss, and take no more room than needed", () => {
    const lengths = [3, 100_000, 100_000, 20_000, 20_000, 700_000, 40_000]
    const messages = lengths.map((each, index) => new Uint8Array(each).fill(index + 1))
    const unpacker = new Unpacker()
    const unpacked = packMessages(messages).flatMap((frame) => {
      const parcels = unpacker.unpack(frame)
      frame.fill(0)
      if ("refused" in parcels) throw new Error(parcels.refused)
      return parcels.map(({ bytes }) => bytes)
    })
    expect(unpacked).toEqual(messages)
    expect(unpacked.map(({ buffer }) => buffer.byteLength)).toEqual(lengths)
  })

  test("get the previous one's room only if long enough: tiny ones cost their bytes", () => {
    const unpacker = new Unpacker()
    const allocated: number[] = []
    const counted = new Proxy(Uint8Array, {
      construct: (target, args: [unknown, ...unknown[]]) => {
        if (typeof args[0] === "number") allocated.push(args[0])
        return Reflect.construct(target, args) as Uint8Array
      },
    })
    for (const frame of packMessages([new Uint8Array(500_000)])) unpacker.unpack(frame)
    const nonsense = Uint8Array.from(Array.from({ length: 5000 }, () => [0x80, 1, 7, 0, 1, 7]).flat())
    vi.stubGlobal("Uint8Array", counted)
    const parcels = unpacker.unpack(nonsense)
    vi.unstubAllGlobals()
    expect(parcels).toHaveLength(5000)
    expect(Math.max(...allocated)).toBeLessThan(10)
  })

  test("keep apart what is control and what is not", () => {
    const parcels = [true, false, true].map((control) => ({ control, bytes: new Uint8Array(40_000) }))
    const unpacker = new Unpacker()
    const unpacked = packParcels(parcels, copy).map((frame) => unpacker.unpack(frame))
    expect(unpacked.flat()).toEqual(parcels)
    // The rest of a message cannot turn into control, nor the reverse.
    const [first, second] = packParcels(parcels.slice(0, 1), copy)
    const turned = second!.slice()
    turned[0]! ^= 0x40
    const again = new Unpacker()
    again.unpack(first!)
    expect(again.unpack(turned)).toEqual({ refused: "malformed-frame" })
  })

  test("share frames when they are small", () => {
    expect(packMessages(Array.from({ length: 1000 }, () => new Uint8Array(14)))).toHaveLength(1)
  })

  test("are refused without an exception when a member sends nonsense", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 20 }), (frames) => {
        const unpacker = new Unpacker()
        for (const frame of frames) {
          const result = unpacker.unpack(frame)
          if (!("refused" in result)) continue
          expect(result.refused).toBe("malformed-frame")
          return
        }
      }),
    )
    expect(new Unpacker().unpack(new Uint8Array())).toEqual({ refused: "malformed-frame" })
  })

  test("cannot grow without end, neither by bytes nor by empty pieces", () => {
    const pieceBytes = FRAME_BYTES_MAX / 2 - 2
    const endless = new Uint8Array(2 + pieceBytes)
    new DataView(endless.buffer).setUint16(0, 0x8000 | pieceBytes)
    const unpacker = new Unpacker()
    let result = unpacker.unpack(endless)
    let frames = 1
    for (; !("refused" in result); frames++) result = unpacker.unpack(endless)
    expect(result).toEqual({ refused: "message-too-long" })
    expect(frames).toBe(Math.ceil(MESSAGE_BYTES_MAX / pieceBytes))
    expect(new Unpacker().unpack(Uint8Array.of(0x80, 0, 0x80, 0))).toEqual({ refused: "malformed-frame" })
  })
})
