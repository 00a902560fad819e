/** The announced end of a conference, and attempts of a server and of other people to forge one. */
import { conferenceIdOf } from "@keymoot/transport/signaling-protocol"
import { expect, test } from "vitest"
import { announcedEarlyEnd, announcedEnd, endedAt } from "../../src/admission/known-end.ts"
import { bytesToHex, randomBytes } from "@noble/hashes/utils.js"
import type { Descriptor } from "../../src/conference/descriptor.ts"
import { eachByteFlipped, newcomer } from "../identity/people.ts"
import { checker, TIMES } from "./hosts.ts"

const [ada, bob] = [await newcomer("Ada"), await newcomer("Bob")]
const NOW_MS = 4_000

function conferenceOf(creator = ada, hash: Uint8Array = randomBytes(32)): Descriptor {
  return { conferenceId: conferenceIdOf(hash), hash, creator, ...TIMES } as unknown as Descriptor
}
const conference = conferenceOf()
const times = (endsAtMs: number, saidAtMs = 3_000) => ({ endsAtMs, saidAtMs })
const byAda = (endsAtMs: number, saidAtMs?: number) =>
  announcedEnd(ada.signer, conference.conferenceId, times(endsAtMs, saidAtMs))
const read = async (bytes: Uint8Array | null, of = conference, nowMs = NOW_MS) => {
  const end = await announcedEarlyEnd(bytes, of, checker, nowMs)
  return end && endedAt(end, nowMs)
}

test("tells the time of the announcement when the creator ended the conference at once", async () => {
  expect(await read(await byAda(TIMES.startsAtMs, 3_000))).toBe(3_000)
  // The creator's clock is ahead.
  expect(await read(await byAda(TIMES.startsAtMs, NOW_MS + 500))).toBe(NOW_MS)
})

test("tells an earlier end when it has come, and not before", async () => {
  const end = await byAda(3_500)
  expect(await read(end, conference, 3_499)).toBe(null)
  expect(await read(end, conference, 3_500)).toBe(3_500)
})

test("tells nothing when the end is not before the planned one, or before the start", async () => {
  for (const endsAtMs of [TIMES.startsAtMs - 1, TIMES.endsAtMs, TIMES.expiresAtMs])
    expect(await read(await byAda(endsAtMs), conference, TIMES.expiresAtMs)).toBe(null)
})

test("ignores an end that anybody but this conference's creator has signed", async () => {
  const byBob = await announcedEnd(bob.signer, conference.conferenceId, times(TIMES.startsAtMs))
  expect(await read(byBob)).toBe(null)
  expect(await read(byBob, conferenceOf(bob, conference.hash))).toBe(3_000)
})

test("ignores the end of another conference of the same creator", async () => {
  expect(await read(await byAda(TIMES.startsAtMs), conferenceOf())).toBe(null)
})

test("ignores an end when the server alters, cuts or lengthens it", async () => {
  const end = await byAda(TIMES.startsAtMs)
  for (const { at, flipped } of eachByteFlipped(end)) expect([at, await read(flipped)]).toEqual([at, null])
  for (let length = 0; length < end.length; length++) expect(await read(end.subarray(0, length))).toBe(null)
  expect(await read(Uint8Array.of(...end, 0))).toBe(null)
  expect(await read(null)).toBe(null)
})

test("cannot be made of a signature that the creator gave for something else", async () => {
  const statement = await ada.signer.sign(randomBytes(48))
  const end = await byAda(TIMES.startsAtMs)
  expect(await read(Uint8Array.of(...end.subarray(0, 16), ...statement))).toBe(null)
  expect(bytesToHex(end.subarray(0, 16))).toBe("00000000000003e80000000000000bb8")
})
