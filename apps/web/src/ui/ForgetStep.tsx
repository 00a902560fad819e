import { type RefObject, useEffect, useId, useRef } from "react"
import { useTranslation } from "react-i18next"
import { useFocusBack } from "./useFocusBack.ts"

type ForgetStepProps = {
  readonly question: string
  /** The label of the button that deletes. */
  readonly forget?: string
  /** Gets the focus back when the person keeps it. */
  readonly opener: RefObject<HTMLElement>
  readonly onForget: () => void
  readonly onKeep: () => void
}

/** Asks before a stored conference or identity is deleted: no other copy may exist. */
export function ForgetStep({ question, forget, opener, onForget, onKeep }: ForgetStepProps) {
  const { t } = useTranslation()
  const id = useId()
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => keep.current?.focus(), [])
  useFocusBack(() => opener.current)
  return (
    <div className="forget-step" role="group" aria-labelledby={id}>
      <p id={id}>{question}</p>
      <div className="actions">
        <button ref={keep} type="button" className="button" onClick={onKeep}>
          {t("mine.keep")}
        </button>
        <button type="button" className="button primary danger" onClick={onForget}>
          {forget ?? t("mine.forgetNow")}
        </button>
      </div>
    </div>
  )
}
