import "../styles/settings.css"
import { useTranslation } from "react-i18next"
import { change, settings } from "../settings/settings.ts"
import { useStore } from "../store.ts"

/** Kept for this device, so that a reload does not show what was hidden. */
export function HideAddress() {
  const { t } = useTranslation()
  const { hideAddress } = useStore(settings)
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          checked={hideAddress}
          onChange={(event) => change({ hideAddress: event.currentTarget.checked })}
        />
        {t("start.hideAddress")}
      </label>
      <p className="hint">{t("start.hideAddressHint")}</p>
    </div>
  )
}
