import { conferenceIdOf } from "@keymoot/transport/signaling-protocol"
import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { randomBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base64urlnopad } from "@scure/base"

import { KeymootError } from "../api/index.ts"
import { assert, decodeOrNull } from "../wire/index.ts"

/** 128 random bits. A holder of the descriptor can guess offline, so there must be too many secrets. */
const INVITATION_SECRET_BYTES = 16
const DESCRIPTOR_HASH_BYTES = 32
const ROOM_KEY_BYTES = 32
/** Bound on parsed links. A valid link has under 200 characters with any host. */
const LINK_CHARACTERS_MAX = 2048

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
  if (link.length > LINK_CHARACTERS_MAX) throw invalidLink("This is too long for an invitation link.")
  const url = parseUrl(link)
  if (url === null)
    throw invalidLink("This is not a link. Paste the whole invitation link, from https:// to its last letter.")
  if (!isServerUrl(url)) throw invalidLink("An invitation link begins with https:// and the server's name.")
  const [, conferenceId] = /^\/c\/([0-9a-f]{32})$/.exec(url.pathname) ?? []
  if (conferenceId === undefined) {
    throw invalidLink(
      "This link does not lead to a conference: behind the server's name it must go on with /c/ and 32 digits.",
    )
  }
  if (url.hash.length <= 1) {
    throw invalidLink(
      "The part of the link behind # is missing, and it holds the key. Ask for the link again, and copy it as a whole.",
    )
  }
  const parts = url.hash.slice(1).split(".")
  const [secret, descriptorHash, roomKey] = [
    decodePart(parts[0], INVITATION_SECRET_BYTES),
    decodePart(parts[1], DESCRIPTOR_HASH_BYTES),
    decodePart(parts[2], ROOM_KEY_BYTES),
  ]
  const whole = parts.length === 2 || (parts.length === 3 && roomKey !== null)
  if (secret === null || descriptorHash === null || !whole) {
    throw invalidLink("The part of the link behind # is damaged. Ask for the link again, and copy it as a whole.")
  }
  if (conferenceId !== conferenceIdOf(descriptorHash)) {
    throw invalidLink(
      "The parts of this link do not belong together: it was altered, or an older version made it. Ask for a new link.",
    )
  }
  return { server: url.origin, conferenceId, secret, descriptorHash, roomKey }
}

/**
 * Returns the origin of a server given as an origin, with or without a trailing slash.
 * @throws KeymootError `invalid-argument`
 */
export function normalizeServer(server: string): string {
  const url = parseUrl(server)
  if (url === null || !isServerUrl(url) || url.pathname !== "/" || url.search !== "" || url.hash !== "") {
    throw new KeymootError("invalid-argument", "Give the server as its origin, like https://meet.example.")
  }
  return url.origin
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

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

/** http is for local servers and bots. A browser rejects it elsewhere by itself (no WebCrypto). */
function isServerUrl(url: URL): boolean {
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
}

/** Strict: each value has one text, so different texts are different links. */
function decodePart(text: string | undefined, length: number): Uint8Array | null {
  const bytes = decodeOrNull(base64urlnopad, text ?? "")
  return bytes?.length === length ? bytes : null
}

function invalidLink(message: string): KeymootError {
  return new KeymootError("invalid-link", message)
}
