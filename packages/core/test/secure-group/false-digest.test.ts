import { createToyGroup, toyX25519 } from "@keymoot/gke/testing"
import { type MemberId, type ProposalId, type View } from "@keymoot/transport"
import { bytesToHex, randomBytes } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import { aesGcm } from "../../src/ciphers/aes-gcm.ts"
import { SecureGroup } from "../../src/secure-group/secure-group.ts"
import { ids } from "./hybrid-room.ts"

const group = createToyGroup()
const bytes = new Uint8Array(32)
const roster = ids.map((member, i) => ({ member, publicKey: new Uint8Array(32).fill(i), fingerprint: bytes }))

function memberOf(self: MemberId): SecureGroup {
  return new SecureGroup({
    self,
    module: "majority",
    group,
    x25519: toyX25519(group),
    verifier: { verify: () => true },
    roster,
    conferenceId: new Uint8Array(16),
    descriptorHash: bytes,
    cipher: aesGcm,
    postQuantum: "off",
    kem: null,
    statementsHash: bytes,
    invitation: bytes,
    random: { bytes: randomBytes },
  })
}

/** The first view of a roster under majority, in which the lowest member reports a false digest or not. */
function firstView(lies: boolean): ReadonlyMap<MemberId, SecureGroup> {
  const groups = new Map(ids.map((id) => [id, memberOf(id)]))
  const [lowest] = ids
  const members = ids.map((id) => ({ id, incarnation: 1 }))
  const proposal: ProposalId = { epoch: 1, coordinator: lowest! }
  const attachments = new Map<MemberId, Uint8Array>()
  const request = { type: "flushRequest", proposal, members, first: true, statementsDigest: bytes } as const
  for (const [id, member] of groups) {
    for (const output of member.step(request)) {
      if (output.type !== "flushed") continue
      const { attachment } = output
      attachments.set(id, lies && id === lowest ? attachment.with(0, attachment[0]! ^ 1) : attachment)
    }
  }
  const id = bytesToHex(randomBytes(32)) as View["id"]
  const view: View = { id, epoch: 1, proposal, members, transitional: ids, features: [], attachments }
  for (const member of groups.values()) member.step({ type: "view", view })
  return groups
}

test("majority: expects a key of the first view also when a digest in it is false", () => {
  for (const lies of [false, true]) {
    for (const member of firstView(lies).values()) expect(member.expectsKey).toBe(true)
  }
})

test("majority: leaves out a lowest member that keeps the first view by a false digest", () => {
  const [lowest, other] = ids as [MemberId, MemberId]
  const member = firstView(true).get(other)!
  const overdue = new Set<MemberId>()
  for (let nowMs = 0; nowMs <= 10_000; nowMs += 100) {
    for (const output of member.step({ type: "tick", nowMs, proposer: lowest }))
      if (output.type === "overdue") overdue.add(output.member)
  }
  expect([...overdue]).toEqual([lowest])
})
