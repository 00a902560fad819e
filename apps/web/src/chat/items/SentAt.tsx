import { useTranslation } from "react-i18next"

/** A sender's clock is not trusted; an invalid time is not shown. */
export function SentAt({ atMs }: { readonly atMs: number }) {
  const { i18n } = useTranslation()
  const date = new Date(atMs)
  if (Number.isNaN(date.getTime())) return null
  const today = date.toDateString() === new Date().toDateString()
  const format: Intl.DateTimeFormatOptions = today ? { timeStyle: "short" } : { dateStyle: "short", timeStyle: "short" }
  return (
    <time className="message-time" dateTime={date.toISOString()}>
      {date.toLocaleString(i18n.language, format)}
    </time>
  )
}
