import { SendHorizontal } from "lucide-react"
import { useRef, useState } from "react"
import type { FormEvent, KeyboardEvent } from "react"
import { useTranslation } from "react-i18next"
import { MESSAGE_LENGTH_MAX } from "../session/marks.ts"
import { messagesOf, PENDING_MAX } from "../session/sending.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { ComposerTools } from "./ComposerTools.tsx"

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
  /** The cursor's position after an inserted emoji. */
  const caret = useRef(0)

  function send(event: FormEvent): void {
    event.preventDefault()
    if (text.trim() === "") return
    const accepted = session.send(text)
    setRefused(!accepted)
    if (!accepted) return
    session.draft.set("")
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
    // While an input method composes, Enter selects a word.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    form.current?.requestSubmit()
  }

  return (
    <form ref={form} className="composer" onSubmit={send}>
      {refused && (
        <p className="field-error" role="alert">
          {t("chat.tooMany")}
        </p>
      )}
      <LongText text={text} />
      <ComposerTools session={session} onEmoji={insert} onEmojiDone={resume} />
      <textarea
        ref={field}
        aria-label={t("chat.message")}
        placeholder={t("chat.message")}
        value={text}
        rows={1}
        dir="auto"
        onChange={(event) => session.draft.set(event.currentTarget.value)}
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
