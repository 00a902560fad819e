import type { ChannelMessage, Member } from "@keymoot/core"
import { memo, useRef, useState, useSyncExternalStore } from "react"
import { useTranslation } from "react-i18next"
import { describeChange } from "../../conference/names.ts"
import { isEdited, textOf } from "../../session/marks.ts"
import type { Notice } from "../../session/order.ts"
import type { Session } from "../../session/session.ts"
import { EditForm } from "./EditForm.tsx"
import { ErasingState } from "./ErasingState.tsx"
import { MessageHead } from "./MessageHead.tsx"
import { MessageText } from "./MessageText.tsx"
import { MoreButton } from "./MoreButton.tsx"
import { Quote } from "../replies/Quote.tsx"
import { Reactions } from "./Reactions.tsx"
import { WaitsForOthers } from "./WaitsForOthers.tsx"

type MessageItemProps = {
  readonly message: ChannelMessage
  /** The id of the message that this one answers. */
  readonly replyTo: string | null
  readonly session: Session
  /** Off: a screen reader does not announce it. */
  readonly live?: "off" | undefined
}

const NOBODY: readonly Member[] = []

/** Memoized: five hundred items stay unchanged when one is added or marked. */
export const MessageItem = memo(function MessageItem({ message, replyTo, session, live }: MessageItemProps) {
  const { t } = useTranslation()
  const { edits } = session
  const isChanging = useSyncExternalStore(edits.subscribe, () => edits.get().has(message.id))
  const [begun, setBegun] = useState(false)
  const item = useRef<HTMLElement>(null)
  const marks = useSyncExternalStore(session.marks.subscribe, () => session.marks.get().get(message.id))
  const text = textOf(message, marks)
  const { view } = session
  // Few messages mention anybody: the others are not drawn again when somebody comes or goes.
  const people = useSyncExternalStore(view.subscribe, () => (text?.includes("@") ? view.get().members : NOBODY))
  const onEdit = (): void => {
    setBegun(true)
    if (text !== null && !isChanging) session.setEdit(message.id, text)
  }
  return (
    <article ref={item} className="message" data-own={message.from.self} data-message={message.id} aria-live={live}>
      <MessageHead message={message} edited={isEdited(message, marks)} session={session}>
        {text !== null && <MoreButton message={message} text={{ text, onEdit }} session={session} />}
      </MessageHead>
      {text !== null && replyTo !== null && <Quote session={session} of={replyTo} />}
      {text === null ? (
        <p className="message-text hint">{t("chat.deleted")}</p>
      ) : isChanging ? (
        <EditForm message={message} text={text} session={session} begun={begun} item={item} />
      ) : (
        <MessageText text={text} people={people} />
      )}
      {text !== null && <Reactions message={message} marks={marks} session={session} />}
      <WaitsForOthers message={message} session={session} />
      <ErasingState message={message} deleted={text === null} session={session} />
    </article>
  )
})

export const NoticeLine = memo(function NoticeLine({ notice }: { readonly notice: Notice }) {
  const { t, i18n } = useTranslation()
  // The announcer has read it out already.
  return (
    <p className="notice" aria-live="off">
      {describeChange(notice, t, i18n.language)}
    </p>
  )
})
