import { Trash2 } from "lucide-react"
import { type FormEvent, type RefObject, useState } from "react"
import { useTranslation } from "react-i18next"
import { Failure } from "../../ui/feedback/Failure.tsx"
import { Check } from "../../ui/Check.tsx"
import { TextField } from "../../ui/TextField.tsx"
import { useFocusBack } from "../../ui/useFocusBack.ts"
import { OPTION_LENGTH_MAX, OPTIONS_MAX, OPTIONS_MIN, type PollDraft, QUESTION_LENGTH_MAX } from "./polls.ts"
import type { PollFormState } from "./openPolls.ts"

type PollFormProps = {
  /** If it is quick, the options are given, and the result is hidden until the end. */
  readonly form: PollFormState
  /** Whether it takes the focus. */
  readonly isFresh: boolean
  readonly opener: RefObject<HTMLButtonElement>
  /** Null: closes it. */
  readonly onChange: (change: Partial<PollFormState> | null) => void
  readonly onStart: (poll: PollDraft) => void
}

export function PollForm({ form, isFresh, opener, onChange, onStart }: PollFormProps) {
  const { t } = useTranslation()
  useFocusBack(() => opener.current)
  const { quick, question, options, several, hidden, state } = form
  /** The place of the faulty field among those for text: the question, then the options. */
  const [wrong, setWrong] = useState<number | null>(null)
  const setOptions = (next: readonly string[]): void => {
    onChange({ options: next })
    setWrong(null)
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    if (state === "sending") return
    const trimmed = options.map((option) => option.trim())
    const written = [...new Set(trimmed.filter((option) => option !== ""))]
    if (question.trim() !== "" && written.length >= OPTIONS_MIN)
      return onStart({ question: question.trim(), options: written, several, hidden })
    const faulty =
      question.trim() === "" ? 0 : 1 + trimmed.findIndex((text, at) => text === "" || trimmed.indexOf(text) < at)
    setWrong(faulty)
    // Its error may be scrolled out of view.
    event.currentTarget.querySelectorAll<HTMLInputElement>("input[maxlength]")[faulty]?.focus()
  }

  return (
    <form className="poll-form" onSubmit={submit} noValidate>
      <TextField
        label={t("polls.question")}
        error={wrong === 0 ? t("polls.questionNeeded") : null}
        maxLength={QUESTION_LENGTH_MAX}
        value={question}
        onValue={(value) => {
          onChange({ question: value })
          setWrong(null)
        }}
        autoFocus={isFresh}
      />
      {!quick && (
        <>
          {options.map((option, at) => (
            // Options have no identity before they are sent.
            <div key={at} className="tool-row">
              <TextField
                label={t("polls.option", { at: at + 1 })}
                error={wrong === at + 1 ? t("polls.optionsNeeded") : null}
                maxLength={OPTION_LENGTH_MAX}
                value={option}
                onValue={(value) => setOptions(options.with(at, value))}
              />
              {options.length > OPTIONS_MIN && (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t("polls.removeOption", { at: at + 1 })}
                  onClick={() => setOptions(options.toSpliced(at, 1))}
                >
                  <Trash2 aria-hidden />
                </button>
              )}
            </div>
          ))}
          {options.length < OPTIONS_MAX && (
            <button type="button" className="link-button" onClick={() => setOptions([...options, ""])}>
              {t("polls.addOption")}
            </button>
          )}
          <Check
            label={t("polls.several")}
            hint={t("polls.severalHint")}
            checked={several}
            onChecked={(next) => onChange({ several: next })}
          />
        </>
      )}
      <Check
        label={t("polls.hidden")}
        hint={t("polls.hiddenHint")}
        checked={hidden}
        onChecked={(next) => onChange({ hidden: next })}
      />
      {state === "failed" && <Failure text={t("polls.failed")} />}
      <div className="actions">
        <button type="submit" className="button primary" disabled={state === "sending"}>
          {t("polls.start")}
        </button>
        <button type="button" className="button" onClick={() => onChange(null)}>
          {t("polls.cancel")}
        </button>
      </div>
    </form>
  )
}
