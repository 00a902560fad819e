/** A hybrid conference's keys need both agreements, under every module; a member or a message that is missing one is named. */
import { KEY_AGREEMENT_NAMES } from "@keymoot/gke"
import type { GroupFrame, MemberId } from "@keymoot/transport"
import { expect, test } from "vitest"
import { decodeAgreementBody, encodeAgreementBody } from "../../src/secure-group/agreement-body.ts"
import { splitAttachment } from "../../src/secure-group/hybrid-attachment.ts"
import { ids as all, Room } from "./hybrid-room.ts"

const ids = all.slice(0, 5)
const [a, b] = ids as [MemberId, MemberId]

test.each(KEY_AGREEMENT_NAMES)("secures every view under %s with one more frame", (module) => {
  const room = new Room(module)
  const keys = new Set<string>()
  const plain = new Room(module, () => "off")
  for (const members of [[a], ids.slice(0, 4), ids, ids.slice(1), [a], ids.slice(1), ids]) {
    for (const each of [room, plain]) each.view(members)
    expect([...room.secured]).toEqual([...members])
    expect(new Set(room.keys.values()).size).toBe(1)
    keys.add([...room.keys.values()][0]!)
    expect(room.sent.filter((type) => type === "postQuantum").length).toBe(members.length > 1 ? 1 : 0)
    expect(room.sent.filter((type) => type !== "postQuantum").sort()).toEqual([...plain.sent].sort())
  }
  expect(keys.size).toBe(7)
  expect(room.faults).toEqual([])
})

test("names the leader that it waits for while the post-quantum secret is missing", () => {
  const room = new Room("tgdh")
  room.changeBody = (_, bytes) => (decodeAgreementBody(bytes)!.type === "postQuantum" ? null : bytes)
  room.view(ids)
  expect(room.keys.size).toBe(0)
  expect(room.groups.get(b)!.awaiting()).toEqual([a])
})

test("gives no key while the classical secret is missing", () => {
  const room = new Room("tgdh")
  room.changeBody = (_, bytes) => (decodeAgreementBody(bytes)!.type === "message" ? null : bytes)
  room.view(ids)
  expect(room.keys.size).toBe(0)
})

test("names a member whose attachment has no post-quantum part", () => {
  const room = new Room("tgdh")
  room.changeAttachment = (id, bytes) => {
    if (id !== b) return bytes
    // The digest of the statements stays in front.
    const { classical } = splitAttachment(bytes.slice(32))
    return new Uint8Array([...bytes.slice(0, 36), ...classical])
  }
  expect(() => room.view(ids)).toThrow("byte for byte")
  expect(room.faults.filter(({ member }) => member !== b)).toEqual([])
  expect(room.faults[0]).toEqual({ at: a, member: b, reason: "malformed-attachment" })
  expect(room.keys.size).toBe(0)
})

test("shares no key with a member that takes the conference for a classical one", () => {
  const room = new Room("tgdh", (member) => (member === b ? "off" : "hybrid"))
  room.view(ids)
  expect(room.secured.size).toBe(0)
  expect(room.faults).toContainEqual({ at: a, member: b, reason: "malformed-attachment" })
})

test("refuses a post-quantum message where the conference is not hybrid", () => {
  const room = new Room("tgdh", () => "off")
  room.view(ids)
  const body = encodeAgreementBody({ type: "postQuantum", bytes: new Uint8Array(3) })
  const frame = { kind: "agreement", origin: b, message: { dependencies: [], body } } as unknown as GroupFrame
  room.take(a, room.groups.get(a)!.step({ type: "deliver", delivery: { frame, globalSequence: 0 } }))
  expect(room.faults).toEqual([{ at: a, member: b, reason: "unexpected-message" }])
})
