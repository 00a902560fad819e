import { conferenceIdOf } from "@keymoot/transport/signaling-protocol"
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { randomBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base64urlnopad } from "@scure/base"

import { assert } from "../wire/index.ts"
import { damagedLink, invalidLink, normalizeServer, splitLink } from "./link.ts"

/** 128 random bits. A holder of the descriptor can guess offline, so there must be too many secrets. */
const INVITATION_SECRET_BYTES = 16

/** Content of a link. The secret and the hash follow the `#`, which browsers do not send to the server. */
export type Invitation = {
  /** Origin such as `https://meet.example`. */
  readonly server: string
  /** `conferenceIdOf` of the descriptor's hash. */
  readonly conferenceId: string
  readonly secret: Uint8Array
  /** Commits to the descriptor, so that the server cannot replace it. */
  readonly descriptorHash: Uint8Array
  /**
   * Room key in a link of a later generation. The descriptor's own link decrypts it from the descriptor, and a later
   * one cannot. It gives a holder nothing beyond the secret beside it.
   */
  readonly roomKey: Uint8Array | null
}

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

/**
 * `https://host/c/<id>#<secret>.<descriptor hash>`, in later generations with `.<room key>`. These parts are base64url.
 */
export function formatInvitation({ server, conferenceId, secret, descriptorHash, roomKey }: Invitation): string {
  const parts = [secret, descriptorHash, ...(roomKey ? [roomKey] : [])]
  const fragment = parts.map((part) => base64urlnopad.encode(part)).join(".")
  return `${normalizeServer(server)}/c/${conferenceId}#${fragment}`
}

/**
 * Parses a link exactly as `formatInvitation` writes it, except for surrounding white space and a query, which
 * messengers add.
 * @throws KeymootError `invalid-link`, with words for the person that pasted it; they never repeat the link, which
 * holds a secret.
 */
export function parseInvitation(link: string): Invitation {
  const { server, conferenceId, parts } = splitLink(link)
  const [secret, descriptorHash] = [decodePart(parts[0]), decodePart(parts[1])]
  const roomKey = parts[2] === undefined ? null : decodePart(parts[2])
  if (conferenceId !== conferenceIdOf(descriptorHash)) {
    throw invalidLink(
      "The parts of this link do not belong together: it was altered, or an older version made it. Ask for a new link.",
    )
  }
  return { server, conferenceId, secret, descriptorHash, roomKey }
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

/** Strict: each value has one text, so different texts are different links. */
function decodePart(text: string): Uint8Array {
  try {
    return base64urlnopad.decode(text)
  } catch {
    throw damagedLink()
  }
}
