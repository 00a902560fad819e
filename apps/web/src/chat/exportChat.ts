import type { TFunction } from "i18next"
import { describeChange } from "../conference/names.ts"
import { isEdited, type Marks, textOf } from "../session/marks.ts"
import { quoteOf } from "./replies/quote.ts"
import type { Entry } from "../session/order.ts"
import type { SavedChat } from "../session/remains.ts"
import { votesAsText } from "./exportVotes.ts"
import { indented, inOneLine } from "./textLines.ts"

const QUOTE_INDENT = "  > "

/**
 * The conversation as a person reads it, one message a paragraph, without deleted messages, and the votes after it. Only
 * authors and notices begin at the margin, and quotes have an indent of their own. So no text can imitate the entry of
 * somebody else.
 */
export function chatAsText(chat: Omit<SavedChat, "id">, t: TFunction, language: string): string {
  const { title, transcript, incomplete, marks, polls } = chat
  const byId = new Map(transcript.map((entry) => [entry.id, entry]))
  const head = [title !== "" && t("chat.savedTitle", { title: inOneLine(title) }), incomplete && t("chat.incomplete")]
  const paragraphs = [
    ...head.flatMap((text) => (text ? [`— ${text}`] : [])),
    ...transcript.map((entry) => line(entry, (id) => byId.get(id), marks, t, language)),
    ...votesAsText(polls, t, language),
  ]
  return paragraphs.map((text) => `${text}\n`).join("\n")
}

type Find = (id: string) => Entry | undefined

function line(entry: Entry, find: Find, marks: Marks, t: TFunction, language: string): string {
  if (entry.kind === "notice")
    return `— ${new Date(entry.atMs).toLocaleString(language)}: ${describeChange(entry, t, language)}`
  const { message } = entry
  const mine = marks.get(message.id)
  const said = textOf(message, mine)
  const text = said !== null && entry.kind === "file" ? t("files.inChat", { name: entry.file.name }) : said
  const tags = [
    entry.kind === "message" && isEdited(message, mine) && t("chat.edited"),
    message.from.changedKey && t("chat.anotherKey"),
    message.transferred?.authorKnown === false && t("chat.notConfirmed"),
  ].flatMap((tag) => (tag ? ` (${tag})` : []))
  const sentAt = new Date(message.sentAtMs)
  // A sender's clock is not trusted.
  const time = Number.isNaN(sentAt.getTime()) ? "" : `, ${sentAt.toLocaleString(language)}`
  const quote = entry.kind === "message" && entry.replyTo !== undefined ? quoteLine(find(entry.replyTo), marks, t) : ""
  return `${message.from.name}${time}${tags.join("")}:\n${quote}${indented(text ?? t("chat.deleted"))}`
}

function quoteLine(answered: Entry | undefined, marks: Marks, t: TFunction): string {
  const { name, text } = quoteOf(answered, answered && marks.get(answered.id), t)
  return `${QUOTE_INDENT}${name === null ? "" : `${name}: `}${text}\n`
}
