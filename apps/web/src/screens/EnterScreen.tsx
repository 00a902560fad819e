import type { FormEvent } from "react"
import { useTranslation } from "react-i18next"
import type { Problem } from "../app.ts"
import { Brand } from "../ui/Brand.tsx"
import { NameField } from "../ui/NameField.tsx"
import { useNameField } from "../ui/useNameField.ts"
import { HideAddress } from "./HideAddress.tsx"
import { ProblemText } from "./ProblemText.tsx"
import { ProtectionNote } from "./ProtectionNote.tsx"

type EnterScreenProps = {
  readonly problem: Problem | null
  readonly lastName: string
  readonly onJoin: (name: string) => void
  readonly onInstead: () => void
}

export function EnterScreen({ problem, lastName, onJoin, onInstead }: EnterScreenProps) {
  const { t } = useTranslation()
  const name = useNameField(lastName)

  function join(event: FormEvent): void {
    event.preventDefault()
    const taken = name.take()
    if (taken !== null) onJoin(taken)
  }

  return (
    <main className="page">
      <div className="card">
        <Brand />
        <h1 className="title">{t("enter.title")}</h1>
        {problem !== null && <ProblemText problem={problem} />}
        <form onSubmit={join} noValidate>
          <NameField field={name} />
          <HideAddress />
          <button type="submit" className="button primary wide">
            {t("enter.join")}
          </button>
        </form>
        <button type="button" className="link-button" onClick={onInstead}>
          {t("enter.instead")}
        </button>
      </div>
      <ProtectionNote />
    </main>
  )
}
