import { RefreshCw } from "lucide-react"
import { useTranslation } from "react-i18next"
import { useStore } from "../store.ts"
import { newerBuild } from "./update.ts"

/** Outside the room. A reload starts the new build, and returns to a conference. */
export function UpdateNote() {
  const newer = useStore(newerBuild)
  return (
    <div className="page-note" role="status">
      {newer && (
        <>
          <p>
            <UpdateWords />
          </p>
          <UpdateButtons className="" />
        </>
      )}
    </div>
  )
}

/** In the room, among its banners. */
export function UpdateBanner() {
  if (!useStore(newerBuild)) return null
  return (
    <p className="banner">
      <RefreshCw aria-hidden />
      <span>
        <UpdateWords />
      </span>
      <UpdateButtons className="banner-button" />
    </p>
  )
}

function UpdateWords() {
  const { t } = useTranslation()
  return (
    <>
      <strong>{t("update.ready")}</strong> {t("update.hint")}
    </>
  )
}

function UpdateButtons({ className }: { readonly className: string }) {
  const { t } = useTranslation()
  return (
    <>
      <button type="button" className={`button primary ${className}`} onClick={() => location.reload()}>
        {t("update.load")}
      </button>
      <button type="button" className={`button ${className}`} onClick={() => newerBuild.set(false)}>
        {t("update.later")}
      </button>
    </>
  )
}
