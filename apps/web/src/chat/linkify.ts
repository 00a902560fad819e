import { LinkifyIt } from "linkify-it"

export type Piece = { readonly text: string; readonly href: string | null }

/** Longer texts are shown without links: looking for them would cost the reader. */
export const LINKIFY_LENGTH_MAX = 20_000
const PROTOCOLS = new Set(["http:", "https:", "mailto:"])

const linkify = new LinkifyIt().add("ftp:", null).add("//", null)

/** A text cut into plain pieces and links; joined together the pieces are the text. Only web and mail addresses become links. */
export function cutLinks(text: string): readonly Piece[] {
  const matches = text.length <= LINKIFY_LENGTH_MAX ? (linkify.match(text) ?? []) : []
  const pieces: Piece[] = []
  let end = 0
  for (const match of matches) {
    const url = URL.parse(match.url)
    if (url === null || !PROTOCOLS.has(url.protocol)) continue
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), href: null })
    pieces.push({ text: text.slice(match.index, match.lastIndex), href: url.href })
    end = match.lastIndex
  }
  if (end < text.length) pieces.push({ text: text.slice(end), href: null })
  return pieces
}
