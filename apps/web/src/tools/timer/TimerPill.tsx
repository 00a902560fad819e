import { Pause, Timer as TimerIcon } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { clockText, leftOf } from "./timer.ts"

const SECOND_MS = 1000

/** The time left, above the board. It opens the tools. A screen reader reads it on request and not each second. */
export function TimerPill({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const timer = useStore(session.timer)
  const [nowMs, setNowMs] = useState(() => Date.now())
  const left = timer === null ? 0 : leftOf(timer, nowMs)
  const isCounting = timer?.state === "running" && left > 0
  useEffect(() => {
    setNowMs(Date.now())
    if (!isCounting) return undefined
    // Each second of the timer, not of the clock.
    const tick = setTimeout(() => setNowMs(Date.now()), left % SECOND_MS || SECOND_MS)
    return () => clearTimeout(tick)
  }, [timer, isCounting, left])
  if (timer === null) return null
  const time = clockText(left)
  const said = timer.state === "paused" ? t("timer.paused", { time }) : t("timer.left", { time })
  return (
    <button
      type="button"
      className="timer-pill"
      data-over={left === 0}
      aria-label={left === 0 ? t("timer.over") : said}
      onClick={() => session.panelWanted.set("tools")}
    >
      {timer.state === "paused" ? <Pause aria-hidden /> : <TimerIcon aria-hidden />}
      {time}
    </button>
  )
}

/** Says the end to a screen reader. */
export function TimerAnnouncer({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const rings = useStore(session.rings)
  return (
    <div className="visually-hidden" aria-live="assertive">
      {/* A new element each time, so that a second end is said again. */}
      {rings > 0 && <span key={rings}>{t("timer.over")}</span>}
    </div>
  )
}
