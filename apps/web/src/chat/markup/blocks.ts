/** A text cut into lists and the text between them. */
export type Block =
  | { readonly kind: "text"; readonly text: string }
  /** `start`: the number of the first item; null for a list with points. */
  | { readonly kind: "list"; readonly start: number | null; readonly items: readonly string[] }

/** Lines that are looked at; a longer text is shown without lists. */
export const LIST_LINES_MAX = 500
const FENCED = /```\n?[^`]+?\n?```/gu
const ITEM = /^(?:[-•]|(\d{1,4})[.)]) +(\S.*)$/u

type Item = { readonly start: number | null; readonly text: string }

/** Lists as in Markdown, one level deep, but a `*` begins bold text. Code between fences stays as typed. */
export function cutBlocks(text: string): readonly Block[] {
  const lines = text.split("\n")
  if (lines.length > LIST_LINES_MAX) return [{ kind: "text", text }]
  const fences = [...text.matchAll(FENCED)].map(({ index, 0: code }) => [index, index + code.length] as const)
  const blocks: { kind: "text" | "list"; start: number | null; lines: string[] }[] = []
  let at = 0
  for (const line of lines) {
    const item = fences.some(([start, end]) => at >= start && at < end) ? null : itemOf(line)
    at += line.length + 1
    const last = blocks.at(-1)
    const kind = item === null ? "text" : "list"
    // A list with points and one with numbers are two.
    const continues = last?.kind === kind && (last.start === null) === (item === null || item.start === null)
    if (last !== undefined && continues) last.lines.push(item?.text ?? line)
    else blocks.push({ kind, start: item?.start ?? null, lines: [item?.text ?? line] })
  }
  return blocks.map(({ kind, start, lines: own }) =>
    kind === "list" ? { kind, start, items: own } : { kind, text: own.join("\n") },
  )
}

function itemOf(line: string): Item | null {
  const match = ITEM.exec(line)
  return match && { start: match[1] === undefined ? null : Number(match[1]), text: match[2]! }
}
