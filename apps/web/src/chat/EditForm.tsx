import type { ChannelMessage } from "@keymoot/core"
import { useEffect, useState } from "react"
import type { FormEvent, KeyboardEvent } from "react"
import { useTranslation } from "react-i18next"
import { MESSAGE_LENGTH_MAX } from "../session/marks.ts"
import type { Session } from "../session/session.ts"
import { isComposing } from "../ui/isComposing.ts"

type EditFormProps = {
  readonly message: ChannelMessage
  readonly text: string
  readonly session: Session
  readonly onEnd: () => void
}

/** Stays, with the typed text, until the change has been sent. */
export function EditForm({ message, text, session, onEnd }: EditFormProps) {
  const { t } = useTranslation()
  const [value, setValue] = useState(text)
  const excess = value.trim().length - MESSAGE_LENGTH_MAX
  const [state, setState] = useState<"typing" | "sending" | "failed">("typing")
  useEffect(() => session.holdUnsent(), [session])

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    const next = value.trim()
    if (next === "" || next === text) return onEnd()
    if (excess > 0) return
    setState("sending")
    if (await session.mark({ type: "edit", of: message.id, text: next })) onEnd()
    else setState("failed")
  }

  function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return
    if (event.key === "Escape") onEnd()
    if (event.key !== "Enter" || event.shiftKey) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }

  return (
    <form className="edit-form" onSubmit={(event) => void save(event)}>
      <textarea
        ref={putCaretAtEnd}
        autoFocus
        aria-label={t("chat.editField")}
        value={value}
        dir="auto"
        rows={2}
        disabled={state === "sending"}
        aria-invalid={excess > 0}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      {excess > 0 && (
        <p className="field-error" role="alert">
          {t("chat.tooLongEdit", { count: excess })}
        </p>
      )}
      {state === "failed" && (
        <p className="field-error" role="alert">
          {t("chat.notChanged")}
        </p>
      )}
      <div className="message-state">
        <button type="submit" className="link-button" disabled={state === "sending" || excess > 0}>
          {state === "sending" ? t("chat.sending") : t("chat.save")}
        </button>
        <button type="button" className="link-button" onClick={onEnd}>
          {t("chat.cancel")}
        </button>
      </div>
    </form>
  )
}

/** A focused textarea has its caret at the start. */
function putCaretAtEnd(field: HTMLTextAreaElement | null): void {
  field?.setSelectionRange(field.value.length, field.value.length)
}
