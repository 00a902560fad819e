import { useTranslation } from "react-i18next"
import { Brand } from "../ui/Brand.tsx"

/** Not in yet, or not any more: a host has to let this person in. */
export function WaitingForHost({ title, onLeave }: { readonly title: string; readonly onLeave: () => void }) {
  const { t } = useTranslation()
  return (
    <main className="page">
      <div className="card">
        <Brand />
        <h1 className="title">{t("hosts.waiting")}</h1>
        {title !== "" && <p dir="auto">{title}</p>}
        <p className="working" role="status">
          <span className="spinner" aria-hidden="true" />
          {t("hosts.waitingHint")}
        </p>
        <button type="button" className="button" onClick={onLeave}>
          {t("hosts.stopWaiting")}
        </button>
      </div>
    </main>
  )
}
