import { Suspense } from "react"
import { useTranslation } from "react-i18next"
import { RemainsActions } from "../conference/lazyConference.ts"
import type { Problem } from "../problem.ts"
import type { Remains } from "../session/remains.ts"
import { Brand } from "../ui/Brand.tsx"
import { ProblemText } from "./ProblemText.tsx"

type ProblemScreenProps = {
  readonly problem: Problem
  /** Of a conference that has just ended for this person. */
  readonly remains?: Remains | null
  readonly onRetry: (() => void) | null
  readonly onStart: () => void
}

const ENDINGS = ["conference-over", "removed", "refused"] as const

export function ProblemScreen({ problem, remains = null, onRetry, onStart }: ProblemScreenProps) {
  const { t } = useTranslation()
  return (
    <main className="page">
      <div className="card">
        <Brand />
        <h1 className="title">{t(isEnding(problem) ? `problem.endings.${problem}` : "problem.title")}</h1>
        <ProblemText problem={problem} />
        {remains !== null && (
          <Suspense fallback={null}>
            <RemainsActions remains={remains} />
          </Suspense>
        )}
        <div className="actions">
          {onRetry !== null && (
            <button type="button" className="button primary" onClick={onRetry}>
              {t("problem.retry")}
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

function isEnding(problem: Problem): problem is (typeof ENDINGS)[number] {
  return ENDINGS.some((ending) => ending === problem)
}
