/** Shape of invitation links. A page reads it before it has the engine, so nothing here decodes or hashes. */
import { KeymootError } from "../api/index.ts"

/** Bound on parsed links. A valid link has under 200 characters with any host. */
const LINK_CHARACTERS_MAX = 2048
/** Secret (16 bytes), descriptor hash (32 bytes), and in later generations the room key (32 bytes), in base64url. */
const FRAGMENT = /^#([\w-]{22})\.([\w-]{43})(?:\.([\w-]{43}))?$/

/** Texts of a link's parts. `parts`: secret, descriptor hash, and the room key if there is one. */
export type LinkParts = {
  readonly server: string
  readonly conferenceId: string
  readonly parts: readonly [string, string, string?]
}

/** Splits a whole link. @throws KeymootError as `parseInvitation`, which decodes the parts */
export function splitLink(link: string): LinkParts {
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
  const [, secret, descriptorHash, roomKey] = FRAGMENT.exec(url.hash) ?? []
  if (secret === undefined || descriptorHash === undefined) throw damagedLink()
  return {
    server: url.origin,
    conferenceId,
    parts: roomKey === undefined ? [secret, descriptorHash] : [secret, descriptorHash, roomKey],
  }
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

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

/** http is for local servers and bots. A browser rejects it elsewhere by itself (no WebCrypto). */
function isServerUrl(url: URL): boolean {
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === ""
}

export function damagedLink(): KeymootError {
  return invalidLink("The part of the link behind # is damaged. Ask for the link again, and copy it as a whole.")
}

export function invalidLink(message: string): KeymootError {
  return new KeymootError("invalid-link", message)
}
