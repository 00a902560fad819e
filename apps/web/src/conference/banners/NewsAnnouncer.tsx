import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { describeChange } from "../names.ts"

/** Announces arrivals and departures to a screen reader. */
export function NewsAnnouncer({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const news = useStore(session.news)
  return (
    <div className="visually-hidden" aria-live="polite">
      {/* A new element each time, so that equal news are said again. */}
      {news !== null && <span key={news.id}>{describeChange(news, t, i18n.language)}</span>}
    </div>
  )
}
