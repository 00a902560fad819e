import { describe, expect, test } from "vitest"
import { MESSAGE_BYTES_MAX } from "../../../src/index.ts"
import { invitation } from "../member.ts"
import { linkedPair, TestConference } from "../conference.ts"

describe("members that enter a room", () => {
  test("are linked to each other in any order of arrival", async () => {
    const conference = new TestConference(5)
    for (const index of [3, 0, 4]) conference.join(`m${index}`, conference.identity(index))
    await conference.pass(1_000)
    for (const index of [1, 2]) conference.join(`m${index}`, conference.identity(index))
    await conference.pass(1_000)
    for (const { links, member, securityCodes } of conference.members) {
      expect(links).toEqual(
        conference.members
          .map((other) => other.member)
          .filter((id) => id !== member)
          .sort(),
      )
      expect(securityCodes).toEqual([])
    }
  })

  test("learn the credential and the incarnation of each linked member", async () => {
    const { low, high } = await linkedPair()
    const common = { type: "linkUp", incarnation: 1, keys: invitation, features: [] }
    expect(low.of("linkUp")).toEqual([{ ...common, peer: high.member, credential: high.identity.credential }])
    expect(high.of("linkUp")).toEqual([{ ...common, peer: low.member, credential: low.identity.credential }])
  })

  test("are there once: of two incarnations on two devices the later one stays", async () => {
    const conference = new TestConference(2)
    const other = conference.join("other", conference.identity(1))
    const former = conference.join("former", conference.identity(0), { incarnation: 5 })
    await conference.pass(1_000)
    const later = conference.join("later", conference.identity(0), { incarnation: 6 })
    await conference.pass(2_000)
    expect([former, later, other].map((member) => member.of("superseded").length > 0)).toEqual([true, false, false])
    expect(other.of("linkUp").map(({ incarnation }) => incarnation)).toEqual([5, 6])
    // Not with itself.
    expect([...former.links, ...later.links]).not.toContain(former.member)
    expect(other.securityCodes).toEqual([])
  })

  test("get every message once, whole and in order, from empty ones to the largest", async () => {
    const { conference, low, high } = await linkedPair()
    const lengths = [0, 1, 5, 16_381, 16_382, 16_383, 40_000, 0, MESSAGE_BYTES_MAX, 3]
    const messages = lengths.map((length, index) => new Uint8Array(length).fill(index + 1))
    for (const message of messages) low.mesh.send(high.member, message)
    high.mesh.send(low.member, Uint8Array.of(9))
    await conference.network.run()
    expect(high.received.map((bytes) => [bytes.length, bytes[0], bytes.at(-1)])).toEqual(
      messages.map((bytes) => [bytes.length, bytes[0], bytes.at(-1)]),
    )
    expect(low.received).toEqual([Uint8Array.of(9)])
    expect(() => low.mesh.send(high.member, new Uint8Array(MESSAGE_BYTES_MAX + 1))).toThrow(RangeError)
  })
})
