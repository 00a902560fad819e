import { Settings } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { useTranslation } from "react-i18next"

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
      <Suspense fallback={null}>
        {open && <SettingsDialog onClose={() => setOpen(false)} onIdentity={onIdentity} />}
      </Suspense>
    </>
  )
}
