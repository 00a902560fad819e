import type { HistoryPolicy } from "@keymoot/core"
import { useId } from "react"
import { useTranslation } from "react-i18next"

const HOUR_MS = 3_600_000
export const DEFAULT_DURATION_MS = 24 * HOUR_MS
const DURATION_HOURS = [1, 8, 24, 7 * 24, 30 * 24]

type StartOptionsFieldsProps = {
  readonly history: HistoryPolicy
  readonly onHistory: (history: HistoryPolicy) => void
  readonly durationMs: number
  readonly onDuration: (durationMs: number) => void
}

export function StartOptionsFields({ history, onHistory, durationMs, onDuration }: StartOptionsFieldsProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className="options">
      <div className="field">
        <label htmlFor={`${id}-history`}>{t("start.history")}</label>
        <select
          id={`${id}-history`}
          value={history}
          onChange={(event) => onHistory(event.currentTarget.value === "from-join" ? "from-join" : "everything")}
        >
          <option value="everything">{t("start.historyEverything")}</option>
          <option value="from-join">{t("start.historyFromJoin")}</option>
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-agreement`}>{t("start.keyAgreement")}</label>
        <select id={`${id}-agreement`} value="tgdh" onChange={() => undefined}>
          <option value="tgdh">{t("security.modules.tgdh")}</option>
        </select>
      </div>
      <div className="field">
        <label htmlFor={`${id}-duration`}>{t("start.duration")}</label>
        <select
          id={`${id}-duration`}
          value={durationMs}
          onChange={(event) => onDuration(Number(event.currentTarget.value))}
        >
          {DURATION_HOURS.map((hours) => (
            <option key={hours} value={hours * HOUR_MS}>
              {hours > 24 ? t("start.days", { count: hours / 24 }) : t("start.hours", { count: hours })}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
