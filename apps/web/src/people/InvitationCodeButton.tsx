import { QrCode as QrIcon } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { LazyInvitationCode } from "./lazyPeople.tsx"

type InvitationCodeButtonProps = { readonly session: Session; readonly className: string }

export function InvitationCodeButton({ session, className }: InvitationCodeButtonProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={`button ${className}`}
        aria-label={t("invitation.show")}
        onClick={() => setOpen(true)}
      >
        <QrIcon aria-hidden />
        <span className="wide-label">{t("invitation.show")}</span>
      </button>
      <LazyInvitationCode session={session} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
