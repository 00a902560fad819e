import type { ChannelMessage } from "@keymoot/core"
import { Ellipsis } from "lucide-react"
import { memo, useRef, useState, useSyncExternalStore } from "react"
import { useTranslation } from "react-i18next"
import { describeChange } from "../conference/names.ts"
import { MemberDot } from "../conference/MemberDot.tsx"
import { isEdited, textOf } from "../session/marks.ts"
import type { Notice } from "../session/order.ts"
import type { Session } from "../session/session.ts"
import { EditForm } from "./EditForm.tsx"
import { MessageMenu } from "./MessageMenu.tsx"
import { MessageText } from "./MessageText.tsx"
import { Reactions } from "./Reactions.tsx"
import { SentAt } from "./SentAt.tsx"

type MessageItemProps = { readonly message: ChannelMessage; readonly session: Session }

/** Memoised: five hundred of them stay as they are when one more comes, or one of them is marked. */
export const MessageItem = memo(function MessageItem({ message, session }: MessageItemProps) {
  const { t } = useTranslation()
  const [editing, setEditing] = useState(false)
  const marks = useSyncExternalStore(session.marks.subscribe, () => session.marks.get().get(message.id))
  const text = textOf(message, marks)
  return (
    <article className="message" data-own={message.from.self}>
      <header className="message-head">
        <bdi className="message-from">
          <MemberDot session={session} id={message.from.id} />
          {message.from.self ? t("chat.you") : message.from.name}
        </bdi>
        <SentAt atMs={message.sentAtMs} />
        {isEdited(message, marks) && <span className="message-time">{t("chat.edited")}</span>}
        {message.handedOver && (
          <span className="tag" title={t("chat.handedOverHint")}>
            {t("chat.handedOver")}
          </span>
        )}
        {text !== null && <More message={message} text={text} session={session} onEdit={() => setEditing(true)} />}
      </header>
      {text === null ? (
        <p className="message-text hint">{t("chat.deleted")}</p>
      ) : editing ? (
        <EditForm message={message} text={text} session={session} onEnd={() => setEditing(false)} />
      ) : (
        <MessageText text={text} />
      )}
      {text !== null && <Reactions message={message} marks={marks} session={session} />}
    </article>
  )
})

type MoreProps = MessageItemProps & { readonly text: string; readonly onEdit: () => void }

/** The menu itself is there only while it is open: there are hundreds of these. */
function More({ message, text, session, onEdit }: MoreProps) {
  const { t } = useTranslation()
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        className="message-more"
        aria-label={t("chat.more")}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Ellipsis aria-hidden />
      </button>
      {open && (
        <MessageMenu
          anchor={button}
          message={message}
          text={text}
          session={session}
          onEdit={onEdit}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

export const NoticeLine = memo(function NoticeLine({ notice }: { readonly notice: Notice }) {
  const { t, i18n } = useTranslation()
  // The announcer has said it already.
  return (
    <p className="notice" aria-live="off">
      {describeChange(notice, t, i18n.language)}
    </p>
  )
})
