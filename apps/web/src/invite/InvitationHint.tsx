import type { Admission } from "@keymoot/core"
import { useTranslation } from "react-i18next"

/** Beside a link or its code: who gets in by it. */
export function InvitationHint({ policy }: { readonly policy: Admission["policy"] }) {
  const { t } = useTranslation()
  return <p className="hint">{t(`invite.who.${policy}`)}</p>
}
