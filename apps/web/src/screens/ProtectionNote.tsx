import { Lock } from "lucide-react"
import { lazy, useState } from "react"
import { useTranslation } from "react-i18next"
import { LazyPart } from "../ui/LazyPart.tsx"

const ProtectionDialog = lazy(() => import("./ProtectionDialog.tsx"))

export function ProtectionNote() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <footer className="page-foot">
      <p>
        <Lock aria-hidden /> {t("start.footer")}{" "}
        <button type="button" className="link-button" onClick={() => setOpen(true)}>
          {t("start.whatIsProtected")}
        </button>
      </p>
      <LazyPart open={open} onClose={() => setOpen(false)}>
        <ProtectionDialog onClose={() => setOpen(false)} />
      </LazyPart>
    </footer>
  )
}
