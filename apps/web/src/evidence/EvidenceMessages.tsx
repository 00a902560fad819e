import { type EvidenceMessage, offeredFileName } from "@keymoot/core/evidence"
import type { TFunction } from "i18next"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { DRAWN_ENTRIES } from "../session/conversation.ts"
import { decodeMark, MARKS_CHANNEL } from "../session/marks.ts"
import { decodeReply } from "../session/reply.ts"
import { keyDigits } from "../ui/keyDigits.ts"

/** The messages in the order of the archive, with their numbers in it. */
export function EvidenceMessages({ messages }: { readonly messages: readonly EvidenceMessage[] }) {
  const { t, i18n } = useTranslation()
  const [drawn, setDrawn] = useState(DRAWN_ENTRIES)
  return (
    <>
      <ol className="evidence-messages">
        {messages.slice(0, drawn).map((message, index) => (
          <li key={index}>
            <p className="hint">
              {/* As text: the browser cuts off markers of entries that it draws only when they are seen. */}
              {index + 1}.{" "}
              <strong>
                <bdi>{message.author.name}</bdi>
              </strong>{" "}
              <code>{keyDigits(message.author.publicKey).slice(0, 9)}</code> · {timeOf(message.sentAtMs, i18n.language)}
              {notesOn(message, t).map((note) => ` · ${note}`)}
            </p>
            <Content message={message} />
          </li>
        ))}
      </ol>
      {messages.length > drawn && (
        <button type="button" className="button wide" onClick={() => setDrawn(drawn + DRAWN_ENTRIES)}>
          {t("evidence.more")}
        </button>
      )}
    </>
  )
}

function notesOn(
  { position: { epoch, view, sequence }, after, passedOn, certified }: EvidenceMessage,
  t: TFunction,
): string[] {
  return [
    t("evidence.place", { epoch, view: view.slice(0, 8), place: sequence }),
    ...(after === null ? [t("evidence.afterMissing")] : []),
    ...(typeof after === "number" ? [t("evidence.after", { number: after + 1 })] : []),
    ...(passedOn ? [t("evidence.passedOn")] : []),
    ...(certified ? [] : [t("evidence.outdated")]),
  ]
}

/** Messages of channels that the app does not read appear as they were signed. */
function Content({ message: { channel, text } }: { readonly message: EvidenceMessage }) {
  const { t } = useTranslation()
  if (channel === "chat") return <p className="evidence-text">{decodeReply(text).text}</p>
  const mark = channel === MARKS_CHANNEL ? decodeMark(text) : null
  if (mark?.type === "edit")
    return (
      <p className="evidence-text">
        <em>{t("evidence.edited")}</em> {mark.text}
      </p>
    )
  if (mark?.type === "delete")
    return (
      <p className="evidence-text">
        <em>{t("evidence.deleted")}</em>
      </p>
    )
  const file = offeredFileName(text)
  if (file !== null)
    return (
      <p className="evidence-text">
        <em>{t("files.inChat", { name: file })}</em>
      </p>
    )
  return (
    <p className="evidence-text">
      <em>{t("evidence.other", { channel })}</em> <code>{mark?.type === "reaction" ? mark.emoji : text}</code>
    </p>
  )
}

/** Clocks are those of authors: some are no date. */
export function timeOf(ms: number, language: string): string {
  const time = new Date(ms)
  return Number.isNaN(time.getTime()) ? "?" : time.toLocaleString(language)
}
