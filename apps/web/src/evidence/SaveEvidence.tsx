import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { EvidenceButton } from "./EvidenceButton.tsx"

export function SaveEvidence({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  return (
    <details className="advanced">
      <summary>{t("evidence.section")}</summary>
      <p className="hint">{t("evidence.saveHint")}</p>
      <EvidenceButton session={session} />
      <p className="hint">
        <a href="/verify" target="_blank" rel="noreferrer">
          {t("evidence.check")}
        </a>
      </p>
    </details>
  )
}
