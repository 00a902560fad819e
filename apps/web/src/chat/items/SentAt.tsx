import { useTranslation } from "react-i18next"
import { useStore } from "../../store.ts"
import { today } from "../../ui/today.ts"

/** A sender's clock is not trusted; an invalid time is not shown. The date is shown unless it is today. */
export function SentAt({ atMs }: { readonly atMs: number }) {
  const { i18n } = useTranslation()
  const day = useStore(today)
  const date = new Date(atMs)
  if (Number.isNaN(date.getTime())) return null
  const isToday = date.toDateString() === day
  return (
    <time className="message-time" dateTime={date.toISOString()}>
      {date.toLocaleString(i18n.language, { timeStyle: "short", ...(!isToday && { dateStyle: "short" }) })}
    </time>
  )
}
