import { conferenceIdOf } from "@keymoot/transport/signaling-protocol"
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { randomBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { assert } from "../wire/index.ts"
import { type Invitation, INVITATION_SECRET_BYTES, invalidLink, readLink } from "./link.ts"

/** Keys of all holders of the link, 32 bytes each. They control who may contact members, and protect no content. */
export type InvitationKeys = {
  /** Key of the signals' MACs. */
  readonly signal: Uint8Array
  /** Encrypts advertisements. */
  readonly advertisement: Uint8Array
  /** Part of the transcript of every association. */
  readonly association: Uint8Array
}

export function newInvitationSecret(): Uint8Array {
  return randomBytes(INVITATION_SECRET_BYTES)
}

/** Parses a link. @throws KeymootError `invalid-link`, as `readLink`, or when its parts do not belong together */
export function parseInvitation(link: string): Invitation {
  const invitation = readLink(link)
  if (invitation.conferenceId !== conferenceIdOf(invitation.descriptorHash)) {
    throw invalidLink(
      "The parts of this link do not belong together: it was altered, or an older version made it. Ask for a new link.",
    )
  }
  return invitation
}

/**
 * Derives the link's keys by HKDF-SHA256. They depend on the descriptor too, so a secret reused for another conference
 * decrypts nothing there.
 * @param secret 16 bytes. @param descriptorHash 32 bytes.
 */
export function deriveInvitationKeys(secret: Uint8Array, descriptorHash: Uint8Array): InvitationKeys {
  const derive = (purpose: string) => derive32(secret, descriptorHash, `keymoot v1 invitation ${purpose}`)
  return { signal: derive("signal"), advertisement: derive("advertisement"), association: derive("association") }
}

/**
 * Derives the secret that proves possession of an invitation to the server. It comes from the room key, to which the
 * links of all generations lead, because the server keeps one verifier for a conference. So a removed member can prove
 * it, too.
 */
export function deriveRoomSecret(roomKey: Uint8Array): Uint8Array {
  return derive32(roomKey, new Uint8Array(), "keymoot v1 room admission")
}

/** HKDF-SHA256 to 32 bytes; `info` names the purpose and the version. */
export function derive32(secret: Uint8Array, salt: Uint8Array, info: string): Uint8Array {
  assert(secret.length >= INVITATION_SECRET_BYTES, "a secret has at least 128 bits")
  return hkdf(sha256, secret, salt, utf8ToBytes(info), 32)
}
