import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { Assembling } from "../../src/addressed/assembling.ts"
import {
  cutIntoPieces,
  MESSAGE_BYTES_MAX,
  NO_SUBJECT,
  PIECE_BYTES_MAX,
  decodePiece,
} from "../../src/addressed/piece.ts"

const [ada, bob, eve] = ["a", "b", "e"].map((digit) => digit.repeat(32)) as [MemberId, MemberId, MemberId]
const subject = "5".repeat(32)
const noise = (bytes: number): Uint8Array => Uint8Array.from({ length: bytes }, (_, i) => (i * 7919) >> 3)
const types = (at: Assembling, from: MemberId, pieces: readonly Uint8Array[]): string[] =>
  pieces.map((piece) => at.take(from, piece).type)

test.each([0, 1, PIECE_BYTES_MAX, PIECE_BYTES_MAX + 1, 1_000_000])("%i bytes come out as they went in", (bytes) => {
  const at = new Assembling(bob)
  const pieces = cutIntoPieces(noise(bytes), [bob], subject)
  expect(pieces.length).toBe(bytes <= PIECE_BYTES_MAX ? 1 : Math.ceil((bytes + 1) / (PIECE_BYTES_MAX + 1)))
  for (const [i, piece] of pieces.slice(0, -1).entries())
    expect(at.take(ada, piece)).toEqual({ type: "incomplete", received: i + 1, count: pieces.length })
  expect(at.take(ada, pieces.at(-1)!)).toEqual({ type: "whole", subject, data: noise(bytes) })
})

test("assembles pieces at their targets and their sender only", () => {
  const pieces = cutIntoPieces(noise(10), [bob, eve], NO_SUBJECT)
  const at = (member: MemberId) => new Assembling(member).take(ada, pieces[0]!).type
  expect([ada, bob, eve].map(at)).toEqual(["whole", "whole", "whole"])
  expect(at("c".repeat(32) as MemberId)).toBe("not-for-me")
})

test("gives a newcomer nothing of a message in progress, and all of the next", () => {
  const at = new Assembling(bob)
  const [first, ...rest] = cutIntoPieces(noise(300_000), [], NO_SUBJECT)
  expect(new Set(types(at, ada, rest))).toEqual(new Set(["not-for-me"]))
  expect(types(at, ada, [first!, ...rest]).at(-1)).toBe("whole")
})

test("delivers whole messages between another's pieces, and keeps senders apart", () => {
  const at = new Assembling(bob)
  const large = cutIntoPieces(noise(200_000), [], NO_SUBJECT)
  const ofEve = cutIntoPieces(noise(150_000), [], NO_SUBJECT)
  const [small] = cutIntoPieces(noise(5), [bob], subject)
  const all = large.flatMap((piece, i) => {
    const between = ofEve[i] ? [at.take(eve, ofEve[i]).type] : []
    return [at.take(ada, piece).type, at.take(ada, small!).type, ...between]
  })
  expect(all.filter((type) => type === "whole")).toHaveLength(large.length + 2)
  expect(all).not.toContain("malformed")
})

test("keeps nothing of a sender when it leaves in the middle", () => {
  const at = new Assembling(bob)
  const pieces = cutIntoPieces(noise(200_000), [], NO_SUBJECT)
  at.take(ada, pieces[0]!)
  at.onView([{ id: bob }])
  expect(types(at, ada, pieces.slice(1))).not.toContain("whole")
})

test("more than a message has is refused, and nothing is kept of it", () => {
  const at = new Assembling(bob)
  const [within, beyond] = [0, 1].map((more) => cutIntoPieces(new Uint8Array(MESSAGE_BYTES_MAX + more), [], NO_SUBJECT))
  expect(types(at, ada, within!).at(-1)).toBe("whole")
  expect(types(at, ada, beyond!).at(-1)).toBe("malformed")
})

test("accepts one form of a list of targets", () => {
  const [piece] = cutIntoPieces(noise(3), [eve, bob, eve], NO_SUBJECT)
  expect(decodePiece(piece!)?.targets).toEqual([bob, eve])
  const swapped = piece!.slice()
  swapped.set(piece!.subarray(2, 18), 18)
  swapped.set(piece!.subarray(18, 34), 2)
  expect(decodePiece(swapped)).toBeNull()
})

test("is never accepted nor throws when cut at any length or with any bit flipped", () => {
  const [piece] = cutIntoPieces(noise(40), [bob], subject)
  // Which transfer it is of is any 16 bytes, and says nothing of one that is whole.
  const transfer = { from: 2 + 16 + 16 + 1, to: 2 + 16 + 16 + 1 + 16 }
  for (let length = 0; length <= transfer.to + 4; length++) {
    expect(new Assembling(bob).take(ada, piece!.subarray(0, length)).type).not.toBe("whole")
  }
  for (let bit = 0; bit < 8 * piece!.length; bit++) {
    const at = bit >> 3
    const flipped = piece!.slice()
    flipped[at]! ^= 1 << (bit & 7)
    const taken = new Assembling(bob).take(ada, flipped)
    const isAsItWas = JSON.stringify(taken) === JSON.stringify({ type: "whole", subject, data: noise(40) })
    expect(isAsItWas).toBe(at >= transfer.from && at < transfer.to)
  }
})
