import { useTranslation } from "react-i18next"
import { useStore } from "../store.ts"
import { newerBuild } from "./update.ts"

/** A reload starts the new build, and returns to a conference. */
export function UpdateNote() {
  const { t } = useTranslation()
  const newer = useStore(newerBuild)
  return (
    <div className="page-note" role="status">
      {newer && (
        <>
          <p>
            <strong>{t("update.ready")}</strong> {t("update.hint")}
          </p>
          <button type="button" className="button primary" onClick={() => location.reload()}>
            {t("update.load")}
          </button>
          <button type="button" className="button" onClick={() => newerBuild.set(false)}>
            {t("update.later")}
          </button>
        </>
      )}
    </div>
  )
}
