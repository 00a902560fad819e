import { X } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { SessionCall } from "../../session/call.ts"
import { useStore } from "../../store.ts"
import { useFocusInCall } from "../useFocusInCall.ts"
import type { CallProblem } from "../model/openTracks.ts"

type Browser = "firefox" | "safari" | "chromium"

/** Says what is wrong with a device and what to do, with buttons that try it again and hide this. */
export function CallProblemNote({ call }: { readonly call: SessionCall }) {
  const problem = useStore(call.problem)
  return (
    <div role="status" className="call-note">
      {problem !== null && <Problem call={call} problem={problem} />}
    </div>
  )
}

function Problem({ call, problem }: { readonly call: SessionCall; readonly problem: CallProblem }) {
  const { t } = useTranslation()
  useFocusInCall(true)
  return (
    <>
      <p className="field-error">
        {problem.kind === "refused"
          ? t(`call.refusedIn.${browserOf(navigator.userAgent)}`)
          : t(`call.problem.${problemText(problem)}`)}
      </p>
      {problem.toggle !== null && (
        <button type="button" className="button" onClick={call.retry}>
          {t("call.retry")}
        </button>
      )}
      <button type="button" className="icon-button" aria-label={t("banner.hide")} onClick={call.hideProblem}>
        <X aria-hidden />
      </button>
    </>
  )
}

function problemText({ kind, toggle }: CallProblem) {
  if (kind === "ended") return toggle === "camera" ? "cameraEnded" : "microphoneEnded"
  return kind === "refused" ? "system" : kind
}

/** The place where a permission is changed differs. Other browsers are built on Chromium. */
function browserOf(userAgent: string): Browser {
  if (/Firefox\//u.test(userAgent)) return "firefox"
  return /Safari\//u.test(userAgent) && !/Chrom(?:e|ium)\//u.test(userAgent) ? "safari" : "chromium"
}
