import { Settings } from "lucide-react"
import { lazy, useState } from "react"
import { useTranslation } from "react-i18next"
import { LazyPart } from "../ui/LazyPart.tsx"

const SettingsDialog = lazy(() => import("./SettingsDialog.tsx"))

/** `onIdentity`: another identity was chosen or renamed; null where that cannot be done, since one is in use. */
export function SettingsButton({ onIdentity }: { readonly onIdentity: (() => void) | null }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="icon-button" aria-label={t("settings.title")} onClick={() => setOpen(true)}>
        <Settings aria-hidden />
      </button>
      <LazyPart open={open} onClose={() => setOpen(false)}>
        <SettingsDialog onClose={() => setOpen(false)} onIdentity={onIdentity} />
      </LazyPart>
    </>
  )
}
