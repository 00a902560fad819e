import { AlarmClock } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { timeOf } from "./timeOf.ts"

const MINUTE_MS = 60_000
/** Minutes before the end at which the room warns. */
const WARNINGS = [2, 10] as const
/** The longest delay of a timer. */
const TIMER_MS_MAX = 2 ** 31 - 1

/** Warns before the end, and says what stays. */
export function EndBanner({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const { endsAtMs } = useStore(session.admission)
  const minutes = useWarning(endsAtMs)
  if (minutes === null) return null
  return (
    <p className="banner" data-urgent={minutes === WARNINGS[0]}>
      <AlarmClock aria-hidden />
      <span>{t("banner.ending", { count: minutes, time: timeOf(endsAtMs, i18n.language) })}</span>
    </p>
  )
}

/** The lowest of `WARNINGS` that has begun; null before them. */
function useWarning(endsAtMs: number): number | null {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    const left = endsAtMs - Date.now()
    const next = WARNINGS.map((minutes) => left - minutes * MINUTE_MS).filter((ms) => ms > 0)
    setNowMs(Date.now())
    if (next.length === 0) return undefined
    const timer = setTimeout(() => setNowMs(Date.now()), Math.min(...next, TIMER_MS_MAX))
    return () => clearTimeout(timer)
  }, [endsAtMs, nowMs])
  const left = endsAtMs - nowMs
  return WARNINGS.find((minutes) => left > 0 && left <= minutes * MINUTE_MS) ?? null
}
