/** A text with light markup, split into pieces. */
export type Format = "plain" | "bold" | "italic" | "struck" | "code" | "code-block"
export type Run = { readonly format: Format; readonly text: string }

/** Longer texts are shown without markup. */
const FORMATTED_LENGTH_MAX = 20_000

/**
 * Each alternative ends at the first character that cannot belong to it, so the time is linear for any text of a peer.
 */
const MARKUP =
  /```\n?([^`]+?)\n?```|`([^`\n]+)`|\*\*(?=\S)([^*\n]+)(?<=\S)\*\*|~~(?=\S)([^~\n]+)(?<=\S)~~|(?<![^\s(["'])\*(?=\S)([^*\n]+)(?<=\S)\*(?![\w*])|(?<![^\s(["'])_(?=\S)([^_\n]+)(?<=\S)_(?!\w)/gu
const FORMATS: readonly Format[] = ["code-block", "code", "bold", "struck", "italic", "italic"]

/** `**bold**`, `*italic*`, `_italic_`, `~~struck~~`, `` `code` `` and fenced code; unpaired marks stay as typed. */
export function cutFormats(text: string): readonly Run[] {
  if (text.length > FORMATTED_LENGTH_MAX) return [{ format: "plain", text }]
  const runs: Run[] = []
  let end = 0
  for (const match of text.matchAll(MARKUP)) {
    const group = match.slice(1).findIndex((captured) => captured !== undefined)
    if (match.index > end) runs.push({ format: "plain", text: text.slice(end, match.index) })
    runs.push({ format: FORMATS[group]!, text: match[group + 1]! })
    end = match.index + match[0].length
  }
  if (end < text.length) runs.push({ format: "plain", text: text.slice(end) })
  return runs
}
