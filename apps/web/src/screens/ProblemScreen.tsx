import { Suspense } from "react"
import { useTranslation } from "react-i18next"
import { RemainsActions } from "../conference/lazyConference.ts"
import { titleOf } from "../problem.ts"
import type { Problem } from "../problem.ts"
import type { Remains } from "../session/remains.ts"
import { Brand } from "../ui/Brand.tsx"
import { ScreenTitle } from "../ui/ScreenTitle.tsx"
import { ProblemText } from "./ProblemText.tsx"

type ProblemScreenProps = {
  readonly problem: Problem
  /** The content of a conference that has just ended for this person. */
  readonly remains?: Remains | null
  /** Last message of the host that refused this person. */
  readonly reason?: string | null
  readonly onRetry: (() => void) | null
  readonly onStart: () => void
}

export function ProblemScreen({ problem, remains = null, reason = null, onRetry, onStart }: ProblemScreenProps) {
  const { t } = useTranslation()
  return (
    <main className="page">
      <div className="card">
        <Brand />
        <ScreenTitle>{t(titleOf(problem))}</ScreenTitle>
        <ProblemText problem={problem} />
        {reason !== null && <p dir="auto">{t("hosts.said", { text: reason })}</p>}
        {remains !== null && (
          <Suspense fallback={null}>
            <RemainsActions remains={remains} evidence={evidenceAfter(problem)} />
          </Suspense>
        )}
        <div className="actions">
          {onRetry !== null && (
            <button type="button" className="button primary" onClick={onRetry}>
              {t(problem === "conference-over" ? "problem.openCopy" : "problem.retry")}
            </button>
          )}
          <button type="button" className="button" onClick={onStart}>
            {t("problem.toStart")}
          </button>
        </div>
      </div>
    </main>
  )
}

/** A member that was shut out loses its data; every other one keeps its log. */
function evidenceAfter(problem: Problem): "copy" | "return" | "deleted" {
  if (problem === "conference-over") return "copy"
  return problem === "removed" || problem === "refused" ? "deleted" : "return"
}
