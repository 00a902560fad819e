import { type RefObject, useEffect, useId, useRef } from "react"
import { useTranslation } from "react-i18next"
import { useFocusBack } from "./useFocusBack.ts"

type ForgetStepProps = {
  /** Number of conferences to be deleted. */
  readonly count: number
  /** Gets the focus back when the person keeps them. */
  readonly opener: RefObject<HTMLElement>
  readonly onForget: () => void
  readonly onKeep: () => void
}

/** Asks before a stored conference is deleted: no other copy may exist. */
export function ForgetStep({ count, opener, onForget, onKeep }: ForgetStepProps) {
  const { t } = useTranslation()
  const question = useId()
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => keep.current?.focus(), [])
  useFocusBack(() => opener.current)
  return (
    <div className="forget-step" role="group" aria-labelledby={question}>
      <p id={question}>{t("mine.forgetHint", { count })}</p>
      <div className="actions">
        <button ref={keep} type="button" className="button" onClick={onKeep}>
          {t("mine.keep")}
        </button>
        <button type="button" className="button primary danger" onClick={onForget}>
          {t("mine.forgetNow")}
        </button>
      </div>
    </div>
  )
}
