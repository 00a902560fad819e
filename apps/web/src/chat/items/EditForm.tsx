import type { ChannelMessage } from "@keymoot/core"
import { type FormEvent, type KeyboardEvent, type RefObject, useSyncExternalStore } from "react"
import { useTranslation } from "react-i18next"
import { MESSAGE_LENGTH_MAX } from "../../session/marks.ts"
import type { Session } from "../../session/session.ts"
import { Failure } from "../../ui/feedback/Failure.tsx"
import { isComposing } from "../../ui/isComposing.ts"
import { onText } from "../../ui/onText.ts"
import { useFocusBack } from "../../ui/useFocusBack.ts"

type EditFormProps = {
  readonly message: ChannelMessage
  readonly text: string
  readonly session: Session
  /** The person has just begun the change, rather than returned to the chat. */
  readonly begun: boolean
  /** The message's element. */
  readonly item: RefObject<HTMLElement>
}

/** Shown, with the typed text, until the change has been sent. */
export function EditForm({ message: { id }, text, session, begun, item }: EditFormProps) {
  const { t } = useTranslation()
  const edit = useSyncExternalStore(session.edits.subscribe, () => session.edits.get().get(id))
  const { text: value, state } = edit ?? { text, state: "typing" }
  const excess = value.trim().length - MESSAGE_LENGTH_MAX
  useFocusBack(() => item.current?.querySelector<HTMLElement>(".message-more"))
  const end = (): void => session.setEdit(id, null)

  function save(event: FormEvent): void {
    event.preventDefault()
    const next = value.trim()
    if (next === "" || next === text) end()
    else if (excess <= 0) session.sendEdit(id)
  }

  function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
    if (isComposing(event)) return
    if (event.key === "Escape") end()
    if (event.key !== "Enter" || event.shiftKey) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }

  return (
    <form className="edit-form" onSubmit={save}>
      <textarea
        ref={putCaretAtEnd}
        autoFocus={begun}
        aria-label={t("chat.editField")}
        value={value}
        dir="auto"
        rows={2}
        // A disabled field would lose the focus.
        readOnly={state === "sending"}
        aria-invalid={excess > 0}
        {...onText((typed) => session.setEdit(id, typed))}
        onKeyDown={onKey}
      />
      {excess > 0 && <Failure text={t("chat.tooLongEdit", { count: excess })} />}
      {state === "failed" && <Failure text={t("chat.notChanged")} />}
      <div className="message-state">
        <button type="submit" className="link-button" disabled={state === "sending" || excess > 0}>
          {state === "sending" ? t("chat.sending") : t("chat.save")}
        </button>
        <button type="button" className="link-button" onClick={end}>
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
