/** A hybrid conference's keys need both agreements, under every module; a member or a message that is missing one is named. */
import { KEY_AGREEMENT_NAMES } from "@keymoot/gke"
import type { GroupFrame, MemberId, View } from "@keymoot/transport"
import { bytesToHex, randomBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { decodeAgreementBody, encodeAgreementBody } from "../../src/secure-group/agreement-body.ts"
import type { EpochKeys, EpochKeysConfig, EpochKeysOutput } from "../../src/secure-group/epoch-keys.ts"
import { splitAttachment } from "../../src/secure-group/attachments.ts"
import { HybridKeys } from "../../src/secure-group/hybrid-keys.ts"
import { ids as all, Room, toolbox } from "./hybrid-room.ts"

const ids = all.slice(0, 5)
const [a, b] = ids as [MemberId, MemberId]

const configOf = (self: MemberId): EpochKeysConfig => ({
  ...toolbox,
  self,
  conferenceId: new Uint8Array(16),
  descriptorHash: new Uint8Array(32),
  cipher: aesGcm,
  postQuantum: "hybrid",
  invitation: new Uint8Array(32),
  random: { bytes: randomBytes },
})
/** A module that ends with the next tick. */
const CLASSICAL: EpochKeys = {
  contribute: () => new Uint8Array(0),
  begin: () => [],
  handle: () => [{ type: "keyed", epochKey: new Uint8Array(32), transcript: new Uint8Array(32) }],
  renew: () => undefined,
  expectsKey: true,
  awaiting: () => [],
  proving: () => [],
  structure: () => null,
  erase: () => undefined,
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

test("secures no view in which a leader sends one seed in two messages", () => {
  const room = new Room("tgdh")
  // The last byte belongs to the seal of another member than b.
  room.changeDelivery = (to, bytes) => {
    const isSeed = decodeAgreementBody(bytes)!.type === "postQuantum"
    return isSeed && to === b ? bytes.with(bytes.length - 1, bytes.at(-1)! ^ 1) : bytes
  }
  room.view(ids)
  expect(new Set(room.keys.values()).size).toBe(2)
  expect(room.secured.size).toBe(0)
  expect(room.faults).toContainEqual({ at: b, member: a, reason: "failed-confirmation" })
})

test("never combines the module's key with the secret of the view before", () => {
  const found: string[] = []
  const [first, second] = [a, b].map((self) => new HybridKeys(configOf(self), toolbox.kem, CLASSICAL)) as [
    HybridKeys,
    HybridKeys,
  ]
  const take = (outputs: readonly EpochKeysOutput[]): void => {
    for (const output of outputs) if (output.type === "keyed") found.push(bytesToHex(output.epochKey))
  }
  const end = (): void => take(first.handle({ type: "tick", nowMs: 0 }))
  const begin = (epoch: number, members: readonly MemberId[]): void => {
    const proposal = { epoch, coordinator: a }
    const attachments = new Map(members.map((id) => [id, (id === a ? first : second).contribute(proposal, members)]))
    const instances = members.map((id) => ({ id, incarnation: 1 }))
    const id = bytesToHex(new Uint8Array(32).fill(epoch)) as View["id"]
    const view: View = { id, epoch, proposal, members: instances, transitional: [], features: [], attachments }
    take(first.begin(view, new Uint8Array(32)))
  }
  // Alone, the post-quantum agreement ends at once.
  begin(1, [a])
  begin(2, [a, b])
  end()
  expect(found).toEqual([])
  begin(3, [a])
  expect(found).toEqual([])
  end()
  expect(found).toHaveLength(1)
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
