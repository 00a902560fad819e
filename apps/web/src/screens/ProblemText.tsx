import { TriangleAlert } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Problem } from "../problem.ts"

/** The error and the remedy, in one or two sentences. */
export function ProblemText({ problem }: { readonly problem: Problem }) {
  const { t } = useTranslation()
  return (
    <p className="problem" role="alert">
      <TriangleAlert aria-hidden />
      <span>{t(`problem.codes.${problem}`)}</span>
    </p>
  )
}
