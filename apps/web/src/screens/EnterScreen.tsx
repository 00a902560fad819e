import { type FormEvent, useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { InvitationArrival } from "../arrival.ts"
import { isFinal, type Problem, titleOf } from "../problem.ts"
import { MyCard } from "../roster/MyCard.tsx"
import { SettingsButton } from "../settings/SettingsButton.tsx"
import { Brand } from "../ui/Brand.tsx"
import { NameField } from "../ui/NameField.tsx"
import { useNameField } from "../ui/useNameField.ts"
import { EndedEarly, InvitationFacts, MoreInvitationFacts } from "./InvitationFacts.tsx"
import { HideAddress } from "./HideAddress.tsx"
import { ProblemText } from "./ProblemText.tsx"
import { ProtectionNote } from "./ProtectionNote.tsx"
import { type Preview, usePreview } from "./usePreview.ts"

type EnterScreenProps = {
  readonly preview: Preview
  /** The problem of the attempt to enter. */
  readonly problem: Problem | null
  readonly lastName: string | null
  readonly onJoin: (name: string) => void
  /** The person chose another identity, or renamed it. */
  readonly onIdentity: () => void
  /** The link is invalid; a reload need not find it again. */
  readonly onFinal: () => void
  readonly onInstead: () => void
}

type InvitedScreenProps = Omit<EnterScreenProps, "preview"> & { readonly arrival: InvitationArrival }

/** With the preview of its link, which is loaded first. Asking anew makes a former problem obsolete. */
export function InvitedScreen({ arrival, problem, onIdentity, ...props }: InvitedScreenProps) {
  const { preview, again, isAnew } = usePreview(arrival)
  function lookAgain(): void {
    onIdentity()
    again()
  }
  return <EnterScreen {...props} preview={preview} problem={isAnew ? null : problem} onIdentity={lookAgain} />
}

export function EnterScreen({ preview, problem, lastName, onFinal, onInstead, ...on }: EnterScreenProps) {
  const { t } = useTranslation()
  const name = useNameField(lastName)
  const trouble = problem ?? (preview.kind === "failed" ? preview.problem : null)
  const leadsNowhere = trouble !== null && isFinal(trouble)
  const ended = preview.kind === "seen" && preview.preview.endedAtMs !== null ? preview.preview : null
  useEffect(() => {
    if (leadsNowhere) onFinal()
  }, [leadsNowhere, onFinal])

  const titleKey = leadsNowhere ? titleOf(trouble) : ended === null ? "enter.title" : "enter.over"

  function join(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const taken = name.take(event.currentTarget)
    if (taken !== null) on.onJoin(taken)
  }

  function onIdentity(): void {
    name.dropTyped()
    on.onIdentity()
  }

  return (
    <main className="page">
      <div className="card">
        <div className="card-head">
          <Brand />
          <SettingsButton onIdentity={onIdentity} onDiagnostics={null} />
        </div>
        <h1 className="title">{t(titleKey)}</h1>
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
        {ended !== null && <EndedEarly preview={ended} />}
        {trouble !== null && <ProblemText problem={trouble} />}
        {trouble === "not-admitted" && isByRoster(preview) && (
          <MyCard folded={false} takeName={() => lastName || null} />
        )}
        {leadsNowhere || ended !== null ? (
          <button type="button" className="button primary wide" onClick={onInstead}>
            {t(ended !== null || trouble === "conference-over" ? "enter.instead" : "problem.toStart")}
          </button>
        ) : (
          <div className="enter-ways">
            <form className="enter-form" onSubmit={join} noValidate>
              <NameField field={name} />
              <Folded preview={preview} />
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

/** Drawn when it is first opened: a slow phone needs a fifth of a second to format the first date. */
function Folded({ preview }: { readonly preview: Preview }) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  return (
    <details className="advanced" onToggle={() => setOpened(true)}>
      <summary>{t("enter.more")}</summary>
      {opened && preview.kind === "seen" && <MoreInvitationFacts preview={preview.preview} />}
      <HideAddress />
    </details>
  )
}

function isByRoster(preview: Preview): boolean {
  return preview.kind === "seen" && preview.preview.admission.policy === "roster"
}
