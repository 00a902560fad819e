import type { Person } from "@keymoot/core"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useFocusBack } from "../ui/useFocusBack.ts"

type KnockAnswersProps = {
  readonly session: Session
  readonly person: Person
  /** Class of both buttons. */
  readonly className: string
  /** The next person, or what stands in place of the last one: it gets the focus after an answer. */
  readonly next: () => HTMLElement | null
}

/** "Let in" and "Refuse", for hosts. */
export function KnockAnswers({ session: { handle }, person, className, next }: KnockAnswersProps) {
  const { t } = useTranslation()
  const [state, setState] = useState<"open" | "answered" | "failed">("open")
  const { id, name } = person
  // Not after the answer of another host: the focus would move unasked.
  useFocusBack(() => (state === "answered" ? next() : null))
  const answer = (act: Promise<void>): void => {
    setState("answered")
    act.catch(() => setState("failed"))
  }
  return (
    <>
      {(["admit", "refuse"] as const).map((verdict) => (
        <button
          key={verdict}
          type="button"
          className={className}
          aria-label={t(`hosts.${verdict}Name`, { name })}
          disabled={state === "answered"}
          onClick={() => answer(handle[verdict](id))}
        >
          {t(`hosts.${verdict}`)}
        </button>
      ))}
      {state === "failed" && <span className="field-error">{t("hosts.failed")}</span>}
    </>
  )
}
