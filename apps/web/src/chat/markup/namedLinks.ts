import { isLinked } from "./linkify.ts"

export type NamedLink = { readonly text: string; readonly href: string | null }

const NAMED = /\[([^[\]\n]{1,200})\]\(((?:https?:\/\/|mailto:)[^\s()<>]{1,2000})\)/gu
/**
 * `[words](https://address)`, with web and mail addresses only. The words are free text of a peer and may name another
 * address, so the page always shows the true one beside them.
 */
export function cutNamedLinks(text: string): readonly NamedLink[] {
  const pieces: NamedLink[] = []
  let end = 0
  for (const match of text.matchAll(NAMED)) {
    const url = URL.parse(match[2]!)
    if (url === null || !isLinked(url)) continue
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), href: null })
    pieces.push({ text: match[1]!, href: url.href })
    end = match.index + match[0].length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), href: null })
  return pieces
}
