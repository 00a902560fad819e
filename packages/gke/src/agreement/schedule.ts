/**
 * From the raw secret of a key agreement to the keys that are used. HKDF and HMAC are over SHA-256; every key has 32 bytes.
 * Each function overwrites nothing: its caller owns the secrets that go in and come out.
 */
import { expand, hkdf } from "@noble/hashes/hkdf.js"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import {
  equalSecretBytes,
  hashFields,
  joinSecrets,
  requireLength,
  settleSecret,
  u64,
  updateFields,
} from "../shared/bytes.ts"
import { KeyAgreementError } from "../shared/errors.ts"
import { compareMembers, type MemberId, memberIdToBytes } from "../shared/member-id.ts"

const KEY_BYTES = 32

export type ConferenceSidInput = {
  /** As the descriptor has it; 1 to 64 bytes. */
  readonly conferenceId: Uint8Array
  /** 32 bytes. */
  readonly descriptorHash: Uint8Array
  /** 32 bytes. */
  readonly viewId: Uint8Array
  /** Members of the view, in any order. `fingerprint`: SHA-256 of the whole certificate, 32 bytes. */
  readonly members: readonly { readonly member: MemberId; readonly fingerprint: Uint8Array }[]
  /** 32 bytes: hash of the hosts' statements (roles, revocations, invitation generations) in force. */
  readonly statementsHash: Uint8Array
  /** The module's name, as in `KeyAgreementName`. */
  readonly module: string
  /** Names of the cipher of messages and of the post-quantum mode, as the descriptor has them. */
  readonly cipher: string
  readonly postQuantum: string
}

/**
 * The session id that binds a key agreement to everything its members must see alike. 32 bytes.
 *
 * @throws KeyAgreementError `bad-input` on a wrong length, or a member named twice.
 */
export function conferenceSid(input: ConferenceSidInput): Uint8Array {
  if (input.conferenceId.length < 1 || input.conferenceId.length > 64)
    throw new KeyAgreementError("bad-input", "the conference id must have 1 to 64 bytes")
  requireLength("the descriptor hash", input.descriptorHash, 32)
  requireLength("the view id", input.viewId, 32)
  requireLength("the statements hash", input.statementsHash, 32)
  const conference = [input.conferenceId, input.descriptorHash, input.viewId]
  const agreed = [membersHash(input.members), input.statementsHash, input.module, input.cipher, input.postQuantum]
  return hashFields("keymoot v1 sid", ...conference, ...agreed)
}

export function membersHash(members: ConferenceSidInput["members"]): Uint8Array {
  const sorted = [...members].sort((a, b) => compareMembers(a.member, b.member))
  const hash = sha256.create()
  for (const [i, { member, fingerprint }] of sorted.entries()) {
    requireLength("a certificate fingerprint", fingerprint, 32)
    if (sorted[i - 1]?.member === member) throw new KeyAgreementError("bad-input", "a member is named twice")
    updateFields(hash, [memberIdToBytes(member), fingerprint])
  }
  return hash.digest()
}

/** The invitation's input to every epoch key. `roomKey` and `descriptorHash`: 32 bytes each. */
export function invitationKey(roomKey: Uint8Array, descriptorHash: Uint8Array): Uint8Array {
  requireLength("the room key", roomKey, KEY_BYTES)
  requireLength("the descriptor hash", descriptorHash, 32)
  return hkdf(sha256, roomKey, descriptorHash, utf8ToBytes("keymoot v1 invitation"), KEY_BYTES)
}

export type EpochKeyInput = {
  /** From `invitationKey`. */
  readonly invitation: Uint8Array
  /** The `secret` and the `transcript` of the agreement, 32 bytes each. */
  readonly secret: Uint8Array
  readonly transcript: Uint8Array
  /** From `conferenceSid`. */
  readonly sid: Uint8Array
}

/** The one secret of an epoch that everything below is derived from. */
export function epochKey({ invitation, secret, transcript, sid }: EpochKeyInput): Uint8Array {
  for (const [what, bytes] of Object.entries({ invitation, secret, transcript, sid })) requireLength(what, bytes, 32)
  const info = concatBytes(utf8ToBytes("keymoot v1 epoch key"), sid, transcript)
  return settleSecret(hkdf(sha256, secret, invitation, info, KEY_BYTES))
}

export type HybridEpochKeyInput = {
  /** The epoch key of the classical agreement, and the post-quantum agreement's `secret`, 32 bytes each. */
  readonly classical: Uint8Array
  readonly postQuantum: Uint8Array
  /** The post-quantum agreement's session, 32 bytes. */
  readonly sid: Uint8Array
  /** 32 bytes over the transcripts of both agreements. */
  readonly transcript: Uint8Array
}

/**
 * The epoch key of a hybrid conference. It is secret if either input is. Both are concatenated as the input keying
 * material of HKDF, with fixed lengths, as in NIST SP 800-56C and draft-ietf-tls-hybrid-design.
 */
export function hybridEpochKey({ classical, postQuantum, sid, transcript }: HybridEpochKeyInput): Uint8Array {
  for (const [what, bytes] of Object.entries({ classical, postQuantum, sid, transcript }))
    requireLength(what, bytes, 32)
  const both = joinSecrets(classical, postQuantum)
  const info = concatBytes(utf8ToBytes("keymoot v1 hybrid epoch key"), sid, transcript)
  const key = settleSecret(hkdf(sha256, both, undefined, info, KEY_BYTES))
  both.fill(0)
  return key
}

/** The key of `confirmationTag`. */
export function confirmationKey(epochKey: Uint8Array): Uint8Array {
  return derive(epochKey, ["keymoot v1 confirmation key"], KEY_BYTES)
}

/**
 * Key confirmation that `member` multicasts: proof that it holds the key and saw this transcript (32 bytes). 32 bytes.
 */
export function confirmationTag(confirmationKey: Uint8Array, member: MemberId, transcript: Uint8Array): Uint8Array {
  requireLength("the confirmation key", confirmationKey, KEY_BYTES)
  requireLength("the transcript", transcript, 32)
  const mac = hmac.create(sha256, confirmationKey)
  updateFields(mac, ["keymoot v1 confirmation", memberIdToBytes(member), transcript])
  return mac.digest()
}

/** In constant time. `tag` may be any bytes of a peer's. False names a split between members, not a culprit. */
export function isConfirmation(
  confirmationKey: Uint8Array,
  member: MemberId,
  transcript: Uint8Array,
  tag: Uint8Array,
): boolean {
  return equalSecretBytes(confirmationTag(confirmationKey, member, transcript), tag)
}

export type SenderKeyInput = {
  readonly epochKey: Uint8Array
  /** 32 bytes. One epoch key may serve several views (`majority`). */
  readonly viewId: Uint8Array
  readonly member: MemberId
  /** The sender's incarnation: a non-negative safe integer. It prevents nonce reuse after a member has reloaded. */
  readonly incarnation: number
}

/** The AES-256-GCM key bytes under which `member` sends in this view. */
export function senderKey({ epochKey, viewId, member, incarnation }: SenderKeyInput): Uint8Array {
  requireLength("the view id", viewId, 32)
  return derive(epochKey, ["keymoot v1 sender key", viewId, memberIdToBytes(member), u64(incarnation)], KEY_BYTES)
}

/**
 * Keys for the application, independent of all others. `label` names the use, `context` its instance (any bytes).
 * `lengthBytes`: 1 to 8160.
 */
export function exportKey(epochKey: Uint8Array, label: string, context: Uint8Array, lengthBytes: number): Uint8Array {
  if (!Number.isInteger(lengthBytes) || lengthBytes < 1 || lengthBytes > 255 * 32)
    throw new KeyAgreementError("bad-input", "export 1 to 8160 bytes")
  return derive(epochKey, ["keymoot v1 exporter", label, context], lengthBytes)
}

function derive(epochKey: Uint8Array, fields: readonly (Uint8Array | string)[], lengthBytes: number): Uint8Array {
  requireLength("the epoch key", epochKey, KEY_BYTES)
  return settleSecret(expand(sha256, epochKey, hashFields(...fields), lengthBytes))
}
