import type { ErrorCode } from "@keymoot/core"
import type { RefObject } from "react"
import { useTranslation } from "react-i18next"
import { useFocusBack } from "../ui/useFocusBack.ts"

type DirectoryProblemProps = {
  readonly problem: ErrorCode
  /** Another action goes on. Its failure is announced, also if it is the same. */
  readonly working: boolean
  /** Gets the focus when Retry has helped, and goes. */
  readonly opener: RefObject<HTMLElement>
  readonly onRetry: () => void
}

export function DirectoryProblem({ problem, working, opener, onRetry }: DirectoryProblemProps) {
  const { t } = useTranslation()
  useFocusBack(() => opener.current, true)
  return (
    <p className="field-error">
      <span role="alert">{!working && t(`problem.codes.${problem}`)}</span>{" "}
      <button type="button" className="link-button" onClick={onRetry}>
        {t("directory.retry")}
      </button>
    </p>
  )
}
