import type { FormEvent } from "react"
import { useTranslation } from "react-i18next"
import type { Problem } from "../problem.ts"
import { Brand } from "../ui/Brand.tsx"
import { NameField } from "../ui/NameField.tsx"
import { useNameField } from "../ui/useNameField.ts"
import { InvitationFacts } from "./InvitationFacts.tsx"
import { HideAddress } from "./HideAddress.tsx"
import { ProblemText } from "./ProblemText.tsx"
import { ProtectionNote } from "./ProtectionNote.tsx"
import type { Preview } from "./usePreview.ts"
import { usePreview } from "./usePreview.ts"

type EnterScreenProps = {
  readonly preview: Preview
  /** Of the attempt to enter. */
  readonly problem: Problem | null
  readonly lastName: string
  readonly onJoin: (name: string) => void
  readonly onInstead: () => void
}

/** With what its link leads to, which is looked up first. */
export function InvitedScreen({ url, ...props }: Omit<EnterScreenProps, "preview"> & { readonly url: string }) {
  return <EnterScreen {...props} preview={usePreview(url)} />
}

export function EnterScreen({ preview, problem, lastName, onJoin, onInstead }: EnterScreenProps) {
  const { t } = useTranslation()
  const name = useNameField(lastName)
  const trouble = problem ?? (preview.kind === "failed" ? preview.problem : null)
  const isOver = trouble === "conference-over"

  function join(event: FormEvent): void {
    event.preventDefault()
    const taken = name.take()
    if (taken !== null) onJoin(taken)
  }

  return (
    <main className="page">
      <div className="card">
        <Brand />
        <h1 className="title">{t(isOver ? "problem.endings.conference-over" : "enter.title")}</h1>
        <div className={preview.kind === "failed" ? "" : "invitation"}>
          <p role="status" className={preview.kind === "looking" ? "working" : "visually-hidden"}>
            {preview.kind === "looking" && (
              <>
                <span className="spinner" aria-hidden="true" />
                {t("enter.looking")}
              </>
            )}
          </p>
          {preview.kind === "seen" && <InvitationFacts preview={preview.preview} />}
        </div>
        {trouble !== null && <ProblemText problem={trouble} />}
        {isOver ? (
          <button type="button" className="button primary wide" onClick={onInstead}>
            {t("enter.instead")}
          </button>
        ) : (
          <div className="enter-ways">
            <form className="enter-form" onSubmit={join} noValidate>
              <NameField field={name} />
              <HideAddress />
              <p className="at-hand">
                <button type="submit" className="button primary wide">
                  {t("enter.join")}
                </button>
              </p>
            </form>
            <button type="button" className="link-button" onClick={onInstead}>
              {t("enter.instead")}
            </button>
          </div>
        )}
      </div>
      <ProtectionNote />
    </main>
  )
}
