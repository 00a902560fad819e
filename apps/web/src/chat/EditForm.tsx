import type { ChannelMessage } from "@keymoot/core"
import { useEffect, useState } from "react"
import type { FormEvent, KeyboardEvent } from "react"
import { useTranslation } from "react-i18next"
import { MESSAGE_LENGTH_MAX } from "../session/marks.ts"
import type { Session } from "../session/session.ts"

type EditFormProps = {
  readonly message: ChannelMessage
  readonly text: string
  readonly session: Session
  readonly onEnd: () => void
}

/** Stays, with what was typed, until the change has been sent. */
export function EditForm({ message, text, session, onEnd }: EditFormProps) {
  const { t } = useTranslation()
  const [value, setValue] = useState(text)
  const [state, setState] = useState<"typing" | "sending" | "failed">("typing")
  useEffect(() => session.holdUnsent(), [session])

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    const next = value.trim()
    if (next === "" || next === text) return onEnd()
    setState("sending")
    if (await session.mark({ type: "edit", of: message.id, text: next })) onEnd()
    else setState("failed")
  }

  function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === "Escape") onEnd()
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }

  return (
    <form className="edit-form" onSubmit={(event) => void save(event)}>
      <textarea
        autoFocus
        aria-label={t("chat.editField")}
        value={value}
        maxLength={MESSAGE_LENGTH_MAX}
        dir="auto"
        rows={2}
        disabled={state === "sending"}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      {state === "failed" && (
        <p className="field-error" role="alert">
          {t("chat.notChanged")}
        </p>
      )}
      <div className="message-state">
        <button type="submit" className="link-button" disabled={state === "sending"}>
          {state === "sending" ? t("chat.sending") : t("chat.save")}
        </button>
        <button type="button" className="link-button" onClick={onEnd}>
          {t("chat.cancel")}
        </button>
      </div>
    </form>
  )
}
