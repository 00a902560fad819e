import { useTranslation } from "react-i18next"
import { change, settings } from "../settings/settings.ts"
import { useStore } from "../store.ts"
import { Check } from "../ui/Check.tsx"

/** Stored on this device, so that a reload does not reveal a hidden address. */
export function HideAddress() {
  const { t } = useTranslation()
  const { hideAddress } = useStore(settings)
  return (
    <Check
      label={t("start.hideAddress")}
      hint={t("start.hideAddressHint")}
      checked={hideAddress}
      onChecked={(checked) => change({ hideAddress: checked })}
    />
  )
}
