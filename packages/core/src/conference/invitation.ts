import { hkdf } from "@noble/hashes/hkdf.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, randomBytes, utf8ToBytes } from "@noble/hashes/utils.js"
import { base64urlnopad } from "@scure/base"

import { KeymootError } from "../api.ts"
import { assert } from "../wire/index.ts"

/** 128 random bits: guesses can be tried offline by whoever has the descriptor, and there are too many. */
const INVITATION_SECRET_BYTES = 16
const DESCRIPTOR_HASH_BYTES = 32
const ROOM_KEY_BYTES = 32
export const CONFERENCE_ID_BYTES = 16
/** A link of ours has under 200 characters with any host; what is longer is not looked at. */
const LINK_CHARACTERS_MAX = 2048

/** What a link carries. The secret and the hash stand behind the `#`, which browsers do not send to the server. */
export type Invitation = {
  /** Origin, like `https://meet.example`. */
  readonly server: string
  /** Hex, 32 digits. */
  readonly conferenceId: string
  readonly secret: Uint8Array
  /** Pins the descriptor, so that the server cannot swap it. */
  readonly descriptorHash: Uint8Array
  /**
   * The descriptor's own link opens the room key, which is sealed in it. A link of a later generation cannot, and brings it
   * along. It gives its bearer nothing that the secret beside it does not.
   */
  readonly roomKey: Uint8Array | null
}

/** Keys that everybody holds who holds the link, 32 bytes each. They gate who may speak to members, and protect no content. */
export type InvitationKeys = {
  /** MACs of signals. */
  readonly signal: Uint8Array
  /** Seals advertisements. */
  readonly advertisement: Uint8Array
  /** Goes into the transcript of every association. */
  readonly association: Uint8Array
}

export function newInvitationSecret(): Uint8Array {
  return randomBytes(INVITATION_SECRET_BYTES)
}

export function newConferenceId(): string {
  return bytesToHex(randomBytes(CONFERENCE_ID_BYTES))
}

/** `https://host/c/<id>#<secret>.<descriptor hash>`, of later generations with `.<room key>`; these in base64url. */
export function formatInvitation({ server, conferenceId, secret, descriptorHash, roomKey }: Invitation): string {
  const parts = [secret, descriptorHash, ...(roomKey ? [roomKey] : [])]
  const fragment = parts.map((part) => base64urlnopad.encode(part)).join(".")
  return `${normalizeServer(server)}/c/${conferenceId}#${fragment}`
}

/**
 * Reads a link, white space around it and a query (messengers add theirs) aside exactly as `formatInvitation` writes it.
 * @throws KeymootError `invalid-link`, with words for the person who pasted it; they never repeat the link, which holds a secret.
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
  return { server: url.origin, conferenceId, secret, descriptorHash, roomKey }
}

/**
 * The origin of a server given as an origin, with or without a slash behind it.
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
 * The link's keys, by HKDF-SHA256. They depend on the descriptor too, so a secret used again for another conference
 * opens nothing there.
 * @param secret 16 bytes. @param descriptorHash 32 bytes.
 */
export function deriveInvitationKeys(secret: Uint8Array, descriptorHash: Uint8Array): InvitationKeys {
  const derive = (purpose: string) => derive32(secret, descriptorHash, `keymoot v1 invitation ${purpose}`)
  return { signal: derive("signal"), advertisement: derive("advertisement"), association: derive("association") }
}

/** HKDF-SHA256 to 32 bytes; `info` names the purpose and the version. */
export function derive32(secret: Uint8Array, salt: Uint8Array, info: string): Uint8Array {
  assert(secret.length >= INVITATION_SECRET_BYTES, "a secret has at least 128 bits")
  return hkdf(sha256, secret, salt, utf8ToBytes(info), 32)
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

/** http is for servers on one's own machine and bots; a browser refuses it elsewhere by itself (no WebCrypto). */
function isServerUrl(url: URL): boolean {
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
}

/** Strict: one text for one value, so a link that differs is another link. */
function decodePart(text: string | undefined, length: number): Uint8Array | null {
  try {
    const bytes = base64urlnopad.decode(text ?? "")
    return bytes.length === length ? bytes : null
  } catch {
    return null
  }
}

function invalidLink(message: string): KeymootError {
  return new KeymootError("invalid-link", message)
}
