import { type Marks, textOf } from "../../session/marks.ts"
import type { Entry } from "../../session/order.ts"

/** Characters; longer queries cannot be typed. */
export const QUERY_LENGTH_MAX = 200

/** Ids of the messages and files that hold all these words, newest first. Ignores case and accents. */
export function searchChat(transcript: readonly Entry[], marks: Marks, query: string): readonly string[] {
  const words = plain(query).split(/\s+/u).filter(Boolean)
  if (words.length === 0) return []
  const found = transcript.filter((entry) => {
    if (entry.kind === "notice") return false
    const said = textOf(entry.message, marks.get(entry.id))
    if (said === null) return false
    const text = plain(`${entry.kind === "file" ? entry.file.name : said} ${entry.message.from.name}`)
    return words.every((word) => text.includes(word))
  })
  return found.map(({ id }) => id).toReversed()
}

/** Without marks before the decomposition, too: sorting a long run of them takes a time that grows with its square. */
function plain(text: string): string {
  return withoutMarks(withoutMarks(text).normalize("NFKD")).toLowerCase()
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\p{M}/gu, "")
}
