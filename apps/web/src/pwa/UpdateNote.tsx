import { RefreshCw } from "lucide-react"
import { useTranslation } from "react-i18next"
import { useStore } from "../store.ts"
import { newerBuild } from "./update.ts"
import { DismissButton } from "../ui/feedback/DismissButton.tsx"

const load = () => location.reload()
const hide = () => newerBuild.set(false)

/** Outside the room. A reload starts the new build. `hint`: what becomes of this screen. */
export function UpdateNote({ hint }: { readonly hint: "update.hint" | "update.forms" }) {
  const { t } = useTranslation()
  const newer = useStore(newerBuild)
  return (
    <div className="page-note" role="status">
      {newer && (
        <>
          <p>
            <strong>{t("update.ready")}</strong> {t(hint)}
          </p>
          <button type="button" className="button primary" onClick={load}>
            {t("update.load")}
          </button>
          <button type="button" className="button" onClick={hide}>
            {t("update.later")}
          </button>
        </>
      )}
    </div>
  )
}

/** In the room, among its banners. */
export function UpdateBanner() {
  const { t } = useTranslation()
  if (!useStore(newerBuild)) return null
  return (
    <p className="banner">
      <RefreshCw aria-hidden />
      <span>
        {t("update.ready")} {t("update.hint")}
      </span>
      <button type="button" className="button banner-button" onClick={load}>
        {t("update.load")}
      </button>
      <DismissButton label={t("update.later")} onClick={hide} />
    </p>
  )
}
