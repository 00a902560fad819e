import type { TFunction } from "i18next"
import { type MessageMarks, textOf } from "../../session/marks.ts"
import type { Entry } from "../../session/order.ts"

/** Characters of a quoted message that are shown. */
export const QUOTE_CHARACTERS_MAX = 160

export type Quoted = { readonly name: string | null; readonly text: string }

/**
 * The answered message as this page has it now, edits and deletions included.
 * @param entry undefined if this page does not have it
 */
export function quoteOf(entry: Entry | undefined, marks: MessageMarks | undefined, t: TFunction): Quoted {
  if (entry === undefined || entry.kind === "notice") return { name: null, text: t("talk.quoteMissing") }
  const { from } = entry.message
  const name = from.self ? t("chat.you") : from.name
  const text = textOf(entry.message, marks)
  if (text === null) return { name, text: t("chat.deleted") }
  return { name, text: shortened(entry.kind === "file" ? entry.file.name : text) }
}

function shortened(text: string): string {
  const chars = [...text.slice(0, 2 * QUOTE_CHARACTERS_MAX).replaceAll(/[\s\u0085]+/gu, " ")]
  return chars.length > QUOTE_CHARACTERS_MAX ? `${chars.slice(0, QUOTE_CHARACTERS_MAX).join("")}…` : chars.join("")
}
