import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import {
  conferenceSid,
  confirmationKey,
  confirmationTag,
  epochKey,
  exportKey,
  invitationKey,
  isConfirmation,
  KeyAgreementError,
  senderKey,
} from "@keymoot/gke"
import type { ConferenceSidInput, MemberId } from "@keymoot/gke"

/** The expected values come from another implementation, in another language, of the derivations as documented. */
const filled = (value: number, length = 32): Uint8Array => new Uint8Array(length).fill(value)
const a = "0a".repeat(16) as MemberId
const b = "0b".repeat(16) as MemberId
const sidInput: ConferenceSidInput = {
  conferenceId: filled(1, 16),
  descriptorHash: filled(2),
  viewId: filled(3),
  members: [
    { member: b, fingerprint: filled(5) },
    { member: a, fingerprint: filled(4) },
  ],
  statementsHash: filled(6),
  module: "tgdh",
}
const sid = conferenceSid(sidInput)
const invitation = invitationKey(filled(7), filled(2))
const epoch = epochKey({ invitation, secret: filled(8), transcript: filled(9), sid })
const sender = { epochKey: epoch, viewId: filled(3), member: a, incarnation: 7 }

test("every key is derived as documented", () => {
  const tag = confirmationTag(confirmationKey(epoch), a, filled(9))
  const exported = exportKey(epoch, "whiteboard", new Uint8Array([0x63, 0x74, 0x78]), 48)
  const known = {
    sid,
    invitation,
    epoch,
    confirmation: confirmationKey(epoch),
    tag,
    sender: senderKey(sender),
    exported,
  }
  expect(Object.fromEntries(Object.entries(known).map(([name, bytes]) => [name, bytesToHex(bytes)]))).toEqual({
    sid: "00b785eb36e6f8aff3ade0ad59d4e0de9c6a79397f9391820be0ec49c76f8681",
    invitation: "8920ed4fcd2017b2fcfdeb02823e35fcbb7e8ac956265b8a82250f390aedd44d",
    epoch: "3849e7fccee44b82342852e4d532741a56aa9cbb2b7bd2b5dff4fc56f19df911",
    confirmation: "580a86b4609a7972fd151f07e6c8c85397e974021da02874e83a880669387bf7",
    tag: "8d377b5decf345c089d2c512b7c5c6b7bd7e289f9bbc0bfd294148b7d22299c9",
    sender: "1bdda193efe734cf903db1182eef21361db5969ae04aae82adaa8b051fcaf574",
    exported: "dce4e3210150ea53f903e36bf9f726a397a3be86bc3382a5fdc4b439f89feaf8f2bcf4a013c47e23acc9c2fe1748bb99",
  })
})

test("members with any different input get different session ids", () => {
  const variants: Partial<ConferenceSidInput>[] = [
    { conferenceId: filled(9, 16) },
    { conferenceId: filled(1, 15) },
    { descriptorHash: filled(9) },
    { viewId: filled(9) },
    { members: sidInput.members.slice(1) },
    { members: [sidInput.members[0]!, { member: a, fingerprint: filled(9) }] },
    { statementsHash: filled(9) },
    { module: "bd" },
  ]
  const sids = [sidInput, ...variants.map((variant) => ({ ...sidInput, ...variant }))]
    .map(conferenceSid)
    .map(bytesToHex)
  expect(new Set(sids).size).toBe(sids.length)
  expect(conferenceSid({ ...sidInput, members: sidInput.members.toReversed() })).toEqual(sid)
})

test("the epoch key needs the invitation, the secret, the transcript and the session", () => {
  const input = { invitation, secret: filled(8), transcript: filled(9), sid }
  const keys = [epoch, ...Object.keys(input).map((field) => epochKey({ ...input, [field]: filled(0x77) }))].map(
    bytesToHex,
  )
  expect(new Set(keys).size).toBe(5)
})

test("no two senders, views or incarnations share a key", () => {
  const keys = [sender, { ...sender, member: b }, { ...sender, viewId: filled(4) }, { ...sender, incarnation: 8 }]
  expect(new Set(keys.map((input) => bytesToHex(senderKey(input)))).size).toBe(4)
})

test("a confirmation holds for its member, key and transcript only", () => {
  const key = confirmationKey(epoch)
  const tag = confirmationTag(key, a, filled(9))
  expect(isConfirmation(key, a, filled(9), tag)).toBe(true)
  expect(isConfirmation(key, b, filled(9), tag)).toBe(false)
  expect(isConfirmation(key, a, filled(8), tag)).toBe(false)
  expect(isConfirmation(filled(1), a, filled(9), tag)).toBe(false)
  for (let i = 0; i < 32; i++) expect(isConfirmation(key, a, filled(9), tag.with(i, tag[i]! ^ 1))).toBe(false)
  for (const length of [0, 31, 33]) expect(isConfirmation(key, a, filled(9), filled(0, length))).toBe(false)
})

test("exports differ by label, context and nothing else, and are as long as asked for", () => {
  expect(exportKey(epoch, "x", filled(1), 8160)).toHaveLength(8160)
  expect(exportKey(epoch, "x", filled(1), 16)).toEqual(exportKey(epoch, "x", filled(1), 32).subarray(0, 16))
  const ambiguous = [
    exportKey(epoch, "ab", new Uint8Array([0x63]), 32),
    exportKey(epoch, "a", new Uint8Array([0x62, 0x63]), 32),
  ]
  expect(ambiguous[0]).not.toEqual(ambiguous[1])
})

test("wrong lengths are the caller's mistake", () => {
  const mistakes = [
    () => conferenceSid({ ...sidInput, viewId: filled(3, 31) }),
    () => conferenceSid({ ...sidInput, conferenceId: filled(1, 0) }),
    () => conferenceSid({ ...sidInput, members: [sidInput.members[0]!, sidInput.members[0]!] }),
    () => invitationKey(filled(1, 16), filled(2)),
    () => epochKey({ invitation, secret: filled(8, 16), transcript: filled(9), sid }),
    () => senderKey({ ...sender, incarnation: -1 }),
    () => senderKey({ ...sender, incarnation: 0.5 }),
    () => exportKey(epoch, "x", filled(1), 0),
    () => exportKey(epoch, "x", filled(1), 8161),
  ]
  for (const mistake of mistakes) expect(mistake).toThrow(KeyAgreementError)
})
