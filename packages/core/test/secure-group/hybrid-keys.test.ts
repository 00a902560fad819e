/** A hybrid conference's keys need both agreements, under every module; a member or a message that is missing one is named. */
import { aesGcm } from "../../src/ciphers/index.ts"
import { KEY_AGREEMENT_NAMES, loadKem } from "@keymoot/gke"
import { createToyGroup } from "@keymoot/gke/testing"
import { type GroupFrame, type MemberId, memberIdFromBytes, type View } from "@keymoot/transport"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { decodeAgreementBody, encodeAgreementBody } from "../../src/secure-group/agreement-body.ts"
import { splitAttachment } from "../../src/secure-group/hybrid-attachment.ts"
import { SecureGroup, type SecureGroupOutput } from "../../src/secure-group/index.ts"

const kem = await loadKem()
const group = createToyGroup()
const hash = (text: string): Uint8Array => sha256(utf8ToBytes(text))
const NOTHING_SAID = new Uint8Array(32)
const ids = Array.from({ length: 5 }, (_, i) => memberIdFromBytes(new Uint8Array(16).fill(i + 1)))
const [a, b] = ids as [MemberId, MemberId]

type Module = (typeof KEY_AGREEMENT_NAMES)[number]
type Mode = "off" | "hybrid"

class Room {
  readonly keys = new Map<MemberId, string>()
  readonly secured = new Set<MemberId>()
  readonly faults: { readonly at: MemberId; readonly member: MemberId; readonly reason: string }[] = []
  readonly sent: string[] = []
  readonly groups: ReadonlyMap<MemberId, SecureGroup>
  /** Attachments and bodies as an attacker changes them. */
  changeAttachment = (_: MemberId, bytes: Uint8Array): Uint8Array => bytes
  changeBody = (_: MemberId, bytes: Uint8Array): Uint8Array | null => bytes
  #epoch = 0
  #waiting: { readonly origin: MemberId; readonly body: Uint8Array }[] = []

  constructor(module: Module, modeOf: (member: MemberId) => Mode = () => "hybrid") {
    const make = (self: MemberId): SecureGroup =>
      new SecureGroup(
        {
          self,
          group,
          module,
          conferenceId: new Uint8Array(16),
          descriptorHash: new Uint8Array(32),
          cipher: aesGcm,
          postQuantum: modeOf(self),
          kem,
          invitation: new Uint8Array(32),
          random: randomBytes,
          fingerprintOf: hash,
        },
        () => NOTHING_SAID,
      )
    this.groups = new Map(ids.map((self) => [self, make(self)]))
  }

  view(members: readonly MemberId[]): void {
    const epoch = ++this.#epoch
    const proposal = { epoch, coordinator: members[0]! }
    const instances = members.map((id) => ({ id, incarnation: 1 }))
    const attachments = new Map<MemberId, Uint8Array>()
    for (const id of members)
      for (const output of this.groups
        .get(id)!
        .step({ type: "flushRequest", proposal, members: instances, first: true }))
        if (output.type === "flushed") attachments.set(id, this.changeAttachment(id, output.attachment))
    const id = bytesToHex(hash(`view ${epoch}`)) as View["id"]
    const view: View = { id, epoch, proposal, members: instances, transitional: members, features: [], attachments }
    this.keys.clear()
    this.secured.clear()
    this.sent.length = 0
    for (const member of members) this.take(member, this.groups.get(member)!.step({ type: "view", view }))
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      const frame = { kind: "agreement", origin: next.origin, message: { dependencies: [], body: next.body } }
      const delivery = { frame: frame as unknown as GroupFrame, globalSequence: 0 }
      for (const member of members) this.take(member, this.groups.get(member)!.step({ type: "deliver", delivery }))
    }
  }

  take(member: MemberId, outputs: readonly SecureGroupOutput[]): void {
    for (const output of outputs) {
      if (output.type === "keyed") this.keys.set(member, bytesToHex(output.epochKey))
      if (output.type === "secured") this.secured.add(member)
      if (output.type === "fault") this.faults.push({ at: member, member: output.member, reason: output.reason })
      if (output.type !== "multicast") continue
      this.sent.push(decodeAgreementBody(output.body)!.type)
      const body = this.changeBody(member, output.body)
      if (body) this.#waiting.push({ origin: member, body })
    }
  }
}

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
