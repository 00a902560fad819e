import { TriangleAlert } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Problem } from "../problem.ts"

/** What went wrong and what to do, in one sentence or two. */
export function ProblemText({ problem }: { readonly problem: Problem }) {
  const { t } = useTranslation()
  return (
    <p className="problem" role="alert">
      <TriangleAlert aria-hidden />
      <span>{t(`problem.codes.${problem}`)}</span>
    </p>
  )
}
