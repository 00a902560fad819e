import type { ConferenceHandle } from "@keymoot/core"
import { useTranslation } from "react-i18next"

/** The authority that certified everybody here; nothing if none is required. */
export function CertifiedBy({ conference }: { readonly conference: ConferenceHandle }) {
  const { t } = useTranslation()
  const { admission } = conference
  return admission.policy === "ca" && <p className="hint">{t("certificates.by", { name: admission.authority.name })}</p>
}
