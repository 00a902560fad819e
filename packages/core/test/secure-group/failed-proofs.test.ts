import type { MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { decodeAgreementBody } from "../../src/secure-group/agreement-body.ts"
import type { SecureGroupOutput } from "../../src/secure-group/secure-group.ts"
import { ids, Room } from "./hybrid-room.ts"

const [a, b, c, d] = ids as [MemberId, MemberId, MemberId, MemberId]
const isProof = (bytes: Uint8Array): boolean => decodeAgreementBody(bytes)!.type === "confirmation"
const altered = (bytes: Uint8Array): Uint8Array => bytes.with(bytes.length - 1, bytes.at(-1)! ^ 1)

class RoomWithout extends Room {
  /** Members that somebody would leave out. */
  readonly overdue = new Set<MemberId>()

  override take(member: MemberId, outputs: readonly SecureGroupOutput[]): void {
    super.take(member, outputs)
    for (const output of outputs) if (output.type === "overdue") this.overdue.add(output.member)
  }
}

test("two liars that take turns delay the others by a few views only", () => {
  const room = new RoomWithout("tgdh")
  let views = 0
  room.changeBody = (member, bytes) => {
    const liar = views % 3 === 0 ? d : a
    return member === liar && isProof(bytes) ? altered(bytes) : bytes
  }
  let members: readonly MemberId[] = [a, b, c, d]
  while (room.secured.size < members.length && views < 12) {
    views++
    members = members.filter((member) => !room.overdue.has(member))
    room.view(members)
  }
  expect(views).toBeLessThanOrEqual(5)
})

test("after a false digest everybody waits for the lowest member, which owes a view", () => {
  for (const liar of [a, c]) {
    const room = new Room("tgdh", () => "off")
    room.changeAttachment = (member, bytes) => (member === liar ? bytes.with(0, bytes[0]! ^ 1) : bytes)
    room.view(ids)
    expect(ids.map((id) => room.groups.get(id)!.awaiting())).toEqual(ids.map((id) => (id === a ? [] : [a])))
  }
})

test("after a false proof everybody waits for the lowest member, which owes a view", () => {
  const room = new Room("tgdh")
  // The leader's seed reaches one member in another version.
  room.changeDelivery = (to, bytes) => {
    const isSeed = decodeAgreementBody(bytes)!.type === "postQuantum"
    return isSeed && to === b ? altered(bytes) : bytes
  }
  room.view(ids)
  expect(ids.map((id) => room.groups.get(id)!.awaiting())).toEqual(ids.map((id) => (id === a ? [] : [a])))
})
