import { type FormEvent, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { TextField } from "../../ui/TextField.tsx"

const MINUTE_MS = 60_000
const QUICK = [1, 3, 5, 10] as const
const MINUTES_MAX = 999

/** The shared timer, as far as this person may change it. */
export function TimerPart({ session, isViewer }: { readonly session: Session; readonly isViewer: boolean }) {
  const { t } = useTranslation()
  const timer = useStore(session.timer)
  const isRunning = timer?.state === "running"
  if (isViewer) return null
  return (
    <section className="tool" aria-labelledby="timer-title">
      <h2 id="timer-title" className="panel-lead">
        {t("timer.title")}
      </h2>
      <p className="hint">{t("timer.hint")}</p>
      {timer === null ? (
        <NewTimer onStart={session.startTimer} />
      ) : (
        <div className="actions">
          <button type="button" className="button" onClick={isRunning ? session.pauseTimer : session.resumeTimer}>
            {t(isRunning ? "timer.pause" : "timer.resume")}
          </button>
          <button type="button" className="button" onClick={session.clearTimer}>
            {t("timer.clear")}
          </button>
        </div>
      )}
    </section>
  )
}

function NewTimer({ onStart }: { readonly onStart: (lengthMs: number) => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState("")
  const [wrong, setWrong] = useState(false)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const minutes = Number(text)
    if (Number.isInteger(minutes) && minutes >= 1 && minutes <= MINUTES_MAX) onStart(minutes * MINUTE_MS)
    else setWrong(true)
  }

  return (
    <>
      <div className="actions">
        {QUICK.map((minutes) => (
          <button key={minutes} type="button" className="button" onClick={() => onStart(minutes * MINUTE_MS)}>
            {t("timer.minutes", { count: minutes })}
          </button>
        ))}
      </div>
      <form className="tool-row" onSubmit={submit} noValidate>
        <TextField
          label={t("timer.length")}
          error={wrong ? t("timer.lengthNeeded", { count: MINUTES_MAX }) : null}
          inputMode="numeric"
          maxLength={3}
          value={text}
          onValue={(value) => {
            setText(value)
            setWrong(false)
          }}
        />
        <button type="submit" className="button">
          {t("timer.start")}
        </button>
      </form>
    </>
  )
}
