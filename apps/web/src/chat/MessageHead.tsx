import type { ChannelMessage } from "@keymoot/core"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { MemberDot } from "../conference/MemberDot.tsx"
import type { Session } from "../session/session.ts"
import { SentAt } from "./SentAt.tsx"

type MessageHeadProps = {
  readonly message: ChannelMessage
  readonly edited?: boolean
  readonly session: Session
  /** What can be done about it. */
  readonly children: ReactNode
}

/** Whose it is, and since when. */
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
      {message.handedOver && (
        <span className="tag" title={t("chat.handedOverHint")}>
          {t("chat.handedOver")}
        </span>
      )}
      {children}
    </header>
  )
}
