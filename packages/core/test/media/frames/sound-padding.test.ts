import * as fc from "fast-check"
import { expect, test } from "vitest"
import { SoundPadding } from "../../../src/media/worker/sound-padding.ts"

/** Frames of an Opus packet, as section 3.2 of RFC 6716 reads them. */
function framesOf(packet: Uint8Array): number[][] {
  const bytes = [...packet]
  const code = bytes.shift()! & 3
  const lengthOf = (): number => {
    const first = bytes.shift()!
    return first < 252 ? first : first + 4 * bytes.shift()!
  }
  if (code === 0) return [bytes]
  if (code === 1) return [bytes.slice(0, bytes.length / 2), bytes.slice(bytes.length / 2)]
  if (code === 2) {
    const length = lengthOf()
    return [bytes.slice(0, length), bytes.slice(length)]
  }
  const count = bytes.shift()!
  let padding = 0
  if ((count & 0x40) !== 0) {
    let each = 255
    while (each === 255) {
      each = bytes.shift()!
      padding += each === 255 ? 254 : each
    }
  }
  const frames = count & 63
  const lengths = (count & 0x80) === 0 ? [] : Array.from({ length: frames - 1 }, lengthOf)
  const content = bytes.slice(0, bytes.length - padding)
  if ((count & 0x80) === 0) {
    const each = content.length / frames
    return Array.from({ length: frames }, (_, index) => content.slice(index * each, (index + 1) * each))
  }
  return [...lengths.map((length) => content.splice(0, length)), content]
}

/** A packet of 20 ms, mono. */
const sound = (bytes: number): Uint8Array => Uint8Array.of(0x78, ...new Uint8Array(bytes - 1).fill(7))

test("gives speech and silence packets of one size", () => {
  const padding = new SoundPadding()
  const sizes = [110, 82, 19, 1, 97, 158, 159].map((bytes) => padding.pad(sound(bytes)).length)
  expect(new Set(sizes)).toEqual(new Set([160]))
})

test("keeps the size of the largest packet, so that it stays alone", () => {
  const padding = new SoundPadding()
  expect([160, 19, 500, 19, 300].map((bytes) => padding.pad(sound(bytes)).length)).toEqual([240, 240, 560, 560, 560])
})

test("gives packets of another duration a size of their own", () => {
  const padding = new SoundPadding()
  const twice = Uint8Array.of(0x79, ...new Uint8Array(160))
  expect([sound(80), twice, sound(80)].map((packet) => padding.pad(packet).length)).toEqual([160, 320, 160])
})

const frame = fc.uint8Array({ maxLength: 600 })
const config = fc.integer({ min: 0, max: 31 })
const lengthOf = (bytes: number): number[] =>
  bytes < 252 ? [bytes] : [252 + (bytes % 4), (bytes - 252 - (bytes % 4)) / 4]
const packets = fc.oneof(
  fc.tuple(config, frame).map(([toc, one]) => [toc << 3, ...one]),
  fc.tuple(config, frame).map(([toc, one]) => [(toc << 3) | 1, ...one, ...one]),
  fc.tuple(config, frame, frame).map(([toc, one, two]) => [(toc << 3) | 2, ...lengthOf(one.length), ...one, ...two]),
  fc.tuple(config, frame).map(([toc, one]) => [(toc << 3) | 3, 3, ...one, ...one, ...one]),
)

test("changes no frame, and no two packets of one duration differ in size", () => {
  fc.assert(
    fc.property(fc.array(packets, { minLength: 2, maxLength: 6 }), (sounds) => {
      const padding = new SoundPadding()
      for (const bytes of [...sounds, ...sounds]) {
        const packet = Uint8Array.from(bytes)
        const padded = padding.pad(packet)
        expect(framesOf(padded)).toEqual(framesOf(packet))
        expect([padded[0]! >> 2, padded.length % 20]).toEqual([packet[0]! >> 2, 0])
        expect(padding.pad(Uint8Array.from([bytes[0]! & 0xfc])).length % 20).toBe(0)
      }
    }),
  )
})

test("leaves alone what is no packet, and what has padding", () => {
  const padding = new SoundPadding()
  for (const bytes of [[], [0x7b], [0x7b, 0x41, 1, 5, 0]]) {
    const packet = Uint8Array.from(bytes)
    expect(padding.pad(packet)).toBe(packet)
  }
})
