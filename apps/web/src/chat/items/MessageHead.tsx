import type { ChannelMessage, Transferred } from "@keymoot/core"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { MemberDot } from "../../conference/members/MemberDot.tsx"
import type { Session } from "../../session/session.ts"
import { SentAt } from "./SentAt.tsx"

type MessageHeadProps = {
  readonly message: ChannelMessage
  readonly edited?: boolean
  readonly session: Session
  /** The actions on the message. */
  readonly children: ReactNode
}

/** The author and the time. */
export function MessageHead({ message, edited = false, session, children }: MessageHeadProps) {
  const { t } = useTranslation()
  return (
    <header className="message-head">
      <span className="message-from">
        <MemberDot session={session} id={message.from.id} />
        <bdi>{message.from.self ? t("chat.you") : message.from.name}</bdi>
      </span>
      <SentAt atMs={message.sentAtMs} />
      {edited && <span className="message-time">{t("chat.edited")}</span>}
      {message.from.changedKey && (
        <span className="tag bad" title={t("chat.anotherKeyHint", { name: message.from.name })}>
          {t("chat.anotherKey")}
        </span>
      )}
      {message.transferred && !message.from.self && <TransferredTag {...message.transferred} />}
      {children}
    </header>
  )
}

function TransferredTag({ by, authorKnown }: Transferred) {
  const { t } = useTranslation()
  return (
    <>
      <span className="tag" title={t("chat.transferredHint")}>
        {t("chat.transferred", { name: by.name })}
      </span>
      {!authorKnown && (
        <span className="tag" title={t("chat.notConfirmedHint")}>
          {t("chat.notConfirmed")}
        </span>
      )}
    </>
  )
}
