import { LinkifyIt } from "linkify-it"

export type Piece = { readonly text: string; readonly href: string | null }

/** Longer texts are shown without links: the search for links would be slow. */
export const LINKIFY_LENGTH_MAX = 20_000
const PROTOCOLS = new Set(["http:", "https:", "mailto:"])

/** Text without a scheme is a link only with this prefix: "contract.md" is a file. */
const WWW = /^www\./iu
const SCHEME = /^(?:https?:\/\/|mailto:)/iu
const HOST = /^[^/?#:]*/u
/** Characters that reorder the text around them. */
const REORDERING = /\p{Bidi_Control}/u

const linkify = new LinkifyIt({ fuzzyLink: true }).add("ftp:", null).add("//", null)

/**
 * A text split into plain pieces and links; the joined pieces equal the text. Only web and mail addresses become links.
 */
export function cutLinks(text: string): readonly Piece[] {
  const matches = text.length <= LINKIFY_LENGTH_MAX ? (linkify.match(text) ?? []) : []
  const pieces: Piece[] = []
  let end = 0
  for (const match of matches) {
    if (match.schema === "" && !WWW.test(match.text)) continue
    const url = URL.parse(match.schema === "" ? `https://${match.text}` : match.url)
    if (url === null || !isLinked(url)) continue
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), href: null })
    pieces.push({ text: text.slice(match.index, match.lastIndex), href: url.href })
    end = match.lastIndex
  }
  if (end < text.length) pieces.push({ text: text.slice(end), href: null })
  return pieces
}

/** Whether an address of a peer becomes a link. In `https://bank.example@evil.example` people take the user for the host. */
export function isLinked({ protocol, username, password }: URL): boolean {
  return PROTOCOLS.has(protocol) && username === "" && password === ""
}

/** Whether a link is drawn as another host than the one it opens: by letters that look alike, or by reordered text. */
export function isMisleading(text: string, href: string): boolean {
  const { protocol, hostname } = new URL(href)
  const address = text.replace(SCHEME, "")
  if (protocol === "mailto:") return `mailto:${address}` !== href
  return REORDERING.test(text) || HOST.exec(address)?.[0].toLowerCase() !== hostname
}
