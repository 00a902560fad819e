import type { ErrorCode } from "@keymoot/core"
import { useTranslation } from "react-i18next"

type DirectoryProblemProps = { readonly problem: ErrorCode; readonly onRetry: () => void }

export function DirectoryProblem({ problem, onRetry }: DirectoryProblemProps) {
  const { t } = useTranslation()
  return (
    <p className="field-error" role="alert">
      {t(`problem.codes.${problem}`)}{" "}
      <button type="button" className="link-button" onClick={onRetry}>
        {t("directory.retry")}
      </button>
    </p>
  )
}
