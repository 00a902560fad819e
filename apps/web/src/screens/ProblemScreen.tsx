import type { StorageState } from "@keymoot/core"
import { Suspense } from "react"
import { useTranslation } from "react-i18next"
import { RemainsActions } from "../conference/lazyConference.ts"
import { type Problem, titleOf } from "../problem.ts"
import type { HowEnded } from "../ending/howEnded.ts"
import { timeOf } from "../ending/timeOf.ts"
import type { Remains } from "../session/remains.ts"
import { Brand } from "../ui/Brand.tsx"
import { ScreenTitle } from "../ui/ScreenTitle.tsx"
import { ProblemText } from "./ProblemText.tsx"
import { useServerBack } from "./useServerBack.ts"

type ProblemScreenProps = {
  readonly problem: Problem
  /** The content of a conference that has just ended for this person. */
  readonly remains?: Remains | null
  /** State of the copy on this device at the end of the conference. */
  readonly storage?: StorageState | null
  /** Last message of the host that refused this person. */
  readonly reason?: string | null
  /** For a conference that has just ended; null if its planned time is up. */
  readonly ended?: HowEnded | null
  /** Opens the copy on this device; null if there is none, or if `onRetry` does. */
  readonly onCopy?: (() => void) | null
  /** Called when an unreachable server answers again. */
  readonly onServerBack?: (() => void) | null
  readonly onRetry: (() => void) | null
  readonly onStart: () => void
}

export function ProblemScreen(props: ProblemScreenProps) {
  const { problem, remains = null, storage = null, reason = null, ended = null, onRetry, onStart } = props
  const { onCopy = null, onServerBack = null } = props
  const { t, i18n } = useTranslation()
  useServerBack(onServerBack)
  const isShutOut = problem === "removed" || problem === "refused"
  /** The copy on this device lacks something, or could not be deleted. */
  const isFaulty = storage === "failing"
  /** A return would replace what can still be saved here with less or nothing. */
  const losesRemains = isFaulty || (storage === "off" && remains !== null)
  return (
    <main className="page">
      <div className="card">
        <Brand />
        <ScreenTitle>{t(titleOf(problem))}</ScreenTitle>
        {ended?.by === "host" && <p>{t("problem.endedByHost", { time: timeOf(ended.atMs, i18n.language) })}</p>}
        {ended?.by === "nobody" && <p>{t("problem.unanswered")}</p>}
        <ProblemText problem={problem} />
        {onServerBack !== null && <p className="hint">{t("problem.retries")}</p>}
        {reason !== null && <p dir="auto">{t("hosts.said", { text: reason })}</p>}
        {problem === "removed" && storage === "off" && <p>{t("problem.deleted")}</p>}
        {isShutOut && isFaulty && <p role="alert">{t("problem.codes.not-deleted")}</p>}
        {remains !== null && (
          <Suspense fallback={null}>
            <RemainsActions remains={remains} evidence={evidenceAfter(problem, storage)} />
          </Suspense>
        )}
        <div className="actions">
          {onRetry !== null && (
            <button type="button" className={losesRemains ? "button" : "button primary"} onClick={onRetry}>
              {t(problem === "conference-over" ? "problem.openCopy" : "problem.retry")}
            </button>
          )}
          {onCopy !== null && (
            <button type="button" className="button" onClick={onCopy}>
              {t("problem.openCopyHere")}
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

/** A member that was shut out loses its data; every other one keeps its log if it has stored one. */
function evidenceAfter(problem: Problem, storage: StorageState | null): "copy" | "return" | "deleted" | null {
  if (storage === "failing") return null
  if (problem === "removed" || problem === "refused") return "deleted"
  if (storage === "off") return null
  return problem === "conference-over" ? "copy" : "return"
}
