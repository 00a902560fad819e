import { SendHorizontal } from "lucide-react"
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { MESSAGE_LENGTH_MAX } from "../../session/marks.ts"
import { messagesOf, PENDING_MAX } from "../../session/sending.ts"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { Failure } from "../../ui/feedback/Failure.tsx"
import { isComposing } from "../../ui/isComposing.ts"
import { onText } from "../../ui/onText.ts"
import { ComposerTools } from "./ComposerTools.tsx"
import { MentionList } from "../mentions/MentionList.tsx"
import { useMentionPicker } from "../mentions/useMentionPicker.ts"
import { ReplyingTo } from "../replies/Quote.tsx"

type ComposerProps = {
  readonly session: Session
  readonly onSent: () => void
}

export function Composer({ session, onSent }: ComposerProps) {
  const { t } = useTranslation()
  const text = useStore(session.draft)
  const [refused, setRefused] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const picker = useMentionPicker(session, field)
  const listId = useId()
  /** The cursor's position after an inserted emoji. */
  const caret = useRef(0)

  function send(event: FormEvent): void {
    event.preventDefault()
    if (text.trim() === "") return
    const accepted = session.send(text, session.replyingTo.get())
    setRefused(!accepted)
    if (!accepted) return
    session.draft.set("")
    session.replyingTo.set(null)
    onSent()
  }

  function insert(emoji: string): void {
    const { selectionStart: start, selectionEnd: end } = field.current ?? {
      selectionStart: text.length,
      selectionEnd: text.length,
    }
    session.draft.set(`${text.slice(0, start)}${emoji}${text.slice(end)}`)
    caret.current = start + emoji.length
  }

  function resume(): void {
    field.current?.focus()
    field.current?.setSelectionRange(caret.current, caret.current)
  }

  function sendOnEnter(event: KeyboardEvent): void {
    if (isComposing(event) || picker.onKey(event)) return
    if (event.key === "Escape") session.replyingTo.set(null)
    if (event.key !== "Enter" || event.shiftKey) return
    event.preventDefault()
    form.current?.requestSubmit()
  }

  return (
    <form ref={form} className="composer" onSubmit={send}>
      {refused && <Failure text={t("chat.tooMany")} />}
      <LongText text={text} />
      <ReplyingTo session={session} />
      {picker.offer !== null && (
        <MentionList id={listId} people={picker.offer.people} active={picker.offer.active} onChoose={picker.choose} />
      )}
      <ComposerTools session={session} onEmoji={insert} onEmojiDone={resume} />
      <textarea
        ref={field}
        aria-label={t("chat.message")}
        placeholder={t("chat.message")}
        value={text}
        rows={1}
        dir="auto"
        aria-autocomplete="list"
        aria-controls={picker.offer === null ? undefined : listId}
        aria-activedescendant={picker.offer === null ? undefined : `${listId}-${picker.offer.active}`}
        {...onText((typed) => {
          session.draft.set(typed)
          picker.look()
        })}
        onBlur={picker.close}
        onKeyDown={sendOnEnter}
      />
      <button type="submit" className="button primary send" aria-label={t("chat.send")} disabled={text.trim() === ""}>
        <SendHorizontal aria-hidden />
      </button>
    </form>
  )
}

/** Tells how a text is sent that is too long for one message. */
function LongText({ text }: { readonly text: string }) {
  const { t } = useTranslation()
  const count = text.length > MESSAGE_LENGTH_MAX ? messagesOf(text).length : 1
  return (
    <p className="hint" role="status">
      {count > PENDING_MAX ? t("chat.tooLong") : count > 1 && t("chat.inPieces", { count })}
    </p>
  )
}
