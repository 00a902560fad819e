import type { TFunction } from "i18next"
import { describeChange } from "../conference/names.ts"
import type { Marks } from "../session/marks.ts"
import { isEdited, textOf } from "../session/marks.ts"
import type { Entry } from "../session/order.ts"

/** The conversation as a person reads it, one message a paragraph, without deleted messages. */
export function chatAsText(transcript: readonly Entry[], marks: Marks, t: TFunction, language: string): string {
  return transcript.map((entry) => `${line(entry, marks, t, language)}\n`).join("\n")
}

function line(entry: Entry, marks: Marks, t: TFunction, language: string): string {
  if (entry.kind === "notice") return `— ${describeChange(entry, t, language)}`
  const { message } = entry
  const mine = marks.get(message.id)
  const said = textOf(message, mine)
  const text = said !== null && entry.kind === "file" ? t("files.inChat", { name: entry.file.name }) : said
  const edited = entry.kind === "message" && isEdited(message, mine) ? ` (${t("chat.edited")})` : ""
  const sentAt = new Date(message.sentAtMs)
  // A sender's clock is not trusted.
  const time = Number.isNaN(sentAt.getTime()) ? "" : `, ${sentAt.toLocaleString(language)}`
  return `${message.from.name}${time}${edited}:\n${text ?? t("chat.deleted")}`
}
