import { FileCheck } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { type Problem, problemOf } from "../problem.ts"
import { ProblemText } from "../screens/ProblemText.tsx"
import { remainsOf } from "../session/remains.ts"
import type { Session } from "../session/session.ts"
import { save } from "../ui/save.ts"
import { boundedEvidence, type LeftOut } from "./boundedEvidence.ts"

type EvidenceButtonProps = { readonly session: Session; readonly className?: string }

/** Saves the conversation and the board as an archive that anybody can verify, also from a kept copy. */
export function EvidenceButton({ session, className = "" }: EvidenceButtonProps) {
  const { t } = useTranslation()
  const [problem, setProblem] = useState<Problem | null>(null)
  const [leftOut, setLeftOut] = useState<LeftOut | null>(null)

  async function saveEvidence(): Promise<void> {
    const { handle } = session
    try {
      const { archive, leftOut: without } = await boundedEvidence(handle, remainsOf(session)?.board ?? null)
      save(new Blob([archive.slice()]), `keymoot-evidence-${handle.id.slice(0, 8)}.keymoot`)
      setProblem(null)
      setLeftOut(without)
    } catch (error) {
      setProblem(problemOf(error))
    }
  }

  return (
    <>
      {problem !== null && <ProblemText problem={problem} />}
      {leftOut !== null && <p role="status">{t(`evidence.savedWithout.${leftOut}`)}</p>}
      <button type="button" className={`button ${className}`} onClick={() => void saveEvidence()}>
        <FileCheck aria-hidden /> {t("evidence.save")}
      </button>
    </>
  )
}
