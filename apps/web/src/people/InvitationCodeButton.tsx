import { QrCode as QrIcon } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { LazyInvitationCode } from "./lazyPeople.tsx"

export function InvitationCodeButton({ url, className }: { readonly url: string; readonly className: string }) {
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
      <LazyInvitationCode url={url} open={open} onClose={() => setOpen(false)} />
    </>
  )
}
