import { BadgeCheck, ShieldAlert } from "lucide-react"
import { useTranslation } from "react-i18next"

type TrustProps = {
  /** Somebody whom this person decides about before meeting. */
  readonly person: { readonly name: string; readonly verified: boolean; readonly changedKey: boolean }
  /** Text for a person that is neither verified nor has a verified name. */
  readonly unverified: string
}

/** A name is free text, unless codes have been compared. */
export function Trust({ person: { name, verified, changedKey }, unverified }: TrustProps) {
  const { t } = useTranslation()
  if (changedKey)
    return (
      <span className="trust bad">
        <ShieldAlert aria-hidden /> {t("enter.changedKey", { name })}
      </span>
    )
  if (!verified) return <span className="trust">{unverified}</span>
  return (
    <span className="trust good">
      <BadgeCheck aria-hidden /> {t("people.verified")}
    </span>
  )
}
