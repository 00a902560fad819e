import { useTranslation } from "react-i18next"
import type { SessionCall } from "../session/call.ts"
import { useStore } from "../store.ts"

export function CallProblemNote({ call }: { readonly call: SessionCall }) {
  const { t } = useTranslation()
  const problem = useStore(call.problem)
  return (
    <div role="status" className="call-problem">
      {problem !== null && <p className="field-error">{t(`call.problem.${problem}`)}</p>}
    </div>
  )
}
