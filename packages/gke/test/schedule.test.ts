import { bytesToHex } from "@noble/hashes/utils.js"
import { expect, test } from "vitest"
import {
  conferenceSid,
  confirmationKey,
  confirmationTag,
  epochKey,
  exportKey,
  hybridEpochKey,
  invitationKey,
  isConfirmation,
  KeyAgreementError,
  majoritySid,
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
  cipher: "aes-256-gcm",
  postQuantum: "off",
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
    sid: "3b3c37b8cb3f73897fe7fc141467beba49521cb3782b0011de077990a21d8d43",
    invitation: "8920ed4fcd2017b2fcfdeb02823e35fcbb7e8ac956265b8a82250f390aedd44d",
    epoch: "6d58f7fdd72a7662c542891ddbb160d9036cfb71620b02ca2b02c1febf55e6f8",
    confirmation: "fc70f567ace409e58b06cd7c4dc624144e608a46790c85f6738f4f228b332d49",
    tag: "6754ba9ae570c84650698ddf394270dc6f77ee263585aaa2d54685067ee6cae5",
    sender: "b721a0a9cbc4790ef5842090c53c6144f37a9cea640fdade9555420721a54d5b",
    exported: "c3d374fe94ddde7e98d6b56d4587003ecbcb22bdff9efe25272bce507c85e4ecebe10819d0ba8ffd263a06cd575e26fe",
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
    { cipher: "another" },
    { postQuantum: "hybrid" },
    { cipher: "aes-256-gcmoff", postQuantum: "" },
  ]
  const sids = [sidInput, ...variants.map((variant) => ({ ...sidInput, ...variant }))]
    .map(conferenceSid)
    .map(bytesToHex)
  expect(new Set(sids).size).toBe(sids.length)
  expect(conferenceSid({ ...sidInput, members: sidInput.members.toReversed() })).toEqual(sid)
})

test("a session of majority has another id when any input differs", () => {
  const { viewId, members: roster, module: _, ...scope } = sidInput
  const input = { ...scope, roster, session: { epoch: 1, viewId } }
  const variants: Partial<typeof input>[] = [
    { conferenceId: filled(9, 16) },
    { descriptorHash: filled(9) },
    { roster: roster.slice(1) },
    { statementsHash: filled(9) },
    { session: { epoch: 2, viewId } },
    { session: { epoch: 1, viewId: filled(9) } },
    { cipher: "another" },
    { postQuantum: "hybrid" },
  ]
  const sids = [input, ...variants.map((variant) => ({ ...input, ...variant }))].map(majoritySid).map(bytesToHex)
  expect(new Set(sids).size).toBe(sids.length)
  expect(majoritySid({ ...input, roster: roster.toReversed() })).toEqual(majoritySid(input))
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

test("the hybrid epoch key needs both secrets, the session and the transcripts", () => {
  const input = { classical: filled(1), postQuantum: filled(2), sid: filled(3), transcript: filled(4) }
  const changed = Object.keys(input).map((field) => hybridEpochKey({ ...input, [field]: filled(0x77) }))
  const swapped = hybridEpochKey({ ...input, classical: filled(2), postQuantum: filled(1) })
  const keys = [hybridEpochKey(input), ...changed, swapped].map(bytesToHex)
  expect(new Set(keys).size).toBe(keys.length)
  expect(() => hybridEpochKey({ ...input, postQuantum: filled(2, 31) })).toThrow(KeyAgreementError)
})
