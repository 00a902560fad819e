import { Check, IdCard } from "lucide-react"
import { Identity, KeymootError } from "@keymoot/core"
import { useState } from "react"
import { useTranslation } from "react-i18next"

type MyCardProps = {
  /** The name, or null with its field marked and focused. */
  readonly takeName: () => string | null
  /** False where it is what the person needs now. */
  readonly folded?: boolean
}

/** A person copies the own card here, and others add it to a roster. */
export function MyCard({ takeName, folded = true }: MyCardProps) {
  const { t } = useTranslation()
  const [state, setState] = useState<"idle" | "working" | "copied" | "failed">("idle")
  const [shown, setShown] = useState<{ readonly name: string; readonly card: string } | null>(null)

  async function copy(): Promise<void> {
    const name = takeName()
    if (name === null) return
    setState("working")
    try {
      const identity = await Identity.open({ name })
      const { card } = identity
      await identity.close()
      setShown({ name, card })
      // If the browser does not allow it, the card is shown for copying by hand.
      setState(
        await navigator.clipboard.writeText(card).then(
          () => "copied" as const,
          () => "idle" as const,
        ),
      )
    } catch (error) {
      if (!(error instanceof KeymootError)) throw error
      setState("failed")
    }
  }

  const content = (
    <>
      <p className="hint">{t("roster.myCardHint")}</p>
      <button type="button" className="button wide" disabled={state === "working"} onClick={() => void copy()}>
        {state === "copied" ? <Check aria-hidden /> : <IdCard aria-hidden />}
        {state === "copied" ? t("roster.copied") : t("roster.copy")}
      </button>
      {shown && (
        <div className="field">
          <label htmlFor="my-card">{t("roster.cardOf", { name: shown.name })}</label>
          <input
            id="my-card"
            className="card-text"
            readOnly
            value={shown.card}
            onFocus={(event) => event.currentTarget.select()}
          />
        </div>
      )}
      <p role="status" className={state === "failed" ? "field-error" : "visually-hidden"}>
        {state === "copied" && t("roster.copied")}
        {state === "failed" && t("roster.copyFailed")}
      </p>
    </>
  )
  if (!folded) return <section aria-label={t("roster.myCard")}>{content}</section>
  return (
    <details className="advanced">
      <summary>{t("roster.myCard")}</summary>
      {content}
    </details>
  )
}
