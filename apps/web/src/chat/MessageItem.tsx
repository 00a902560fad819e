import type { ChannelMessage } from "@keymoot/core"
import { memo } from "react"
import { useTranslation } from "react-i18next"
import { describeChange } from "../conference/names.ts"
import { MemberDot } from "../conference/MemberDot.tsx"
import type { Notice } from "../session/order.ts"
import type { Session } from "../session/session.ts"
import { MessageText } from "./MessageText.tsx"

type MessageItemProps = { readonly message: ChannelMessage; readonly session: Session }

/** Memoised: a message never changes, and five hundred of them stay as they are when one more comes. */
export const MessageItem = memo(function MessageItem({ message, session }: MessageItemProps) {
  const { t } = useTranslation()
  return (
    <article className="message" data-own={message.from.self}>
      <header className="message-head">
        <bdi className="message-from">
          <MemberDot session={session} id={message.from.id} />
          {message.from.self ? t("chat.you") : message.from.name}
        </bdi>
        <SentAt atMs={message.sentAtMs} />
        {message.handedOver && (
          <span className="tag" title={t("chat.handedOverHint")}>
            {t("chat.handedOver")}
          </span>
        )}
      </header>
      <MessageText text={message.text} />
    </article>
  )
})

export const NoticeLine = memo(function NoticeLine({ notice }: { readonly notice: Notice }) {
  const { t, i18n } = useTranslation()
  // The announcer has said it already.
  return (
    <p className="notice" aria-live="off">
      {describeChange(notice, t, i18n.language)}
    </p>
  )
})

/** A sender's clock can say anything; what is no time is not shown. */
function SentAt({ atMs }: { readonly atMs: number }) {
  const { i18n } = useTranslation()
  const date = new Date(atMs)
  if (Number.isNaN(date.getTime())) return null
  const today = date.toDateString() === new Date().toDateString()
  const format: Intl.DateTimeFormatOptions = today ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" }
  return (
    <time className="message-time" dateTime={date.toISOString()}>
      {date.toLocaleString(i18n.language, format)}
    </time>
  )
}
