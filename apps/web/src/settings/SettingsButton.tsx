import { Settings } from "lucide-react"
import { lazy, useState } from "react"
import { useTranslation } from "react-i18next"
import { LazyPart } from "../ui/LazyPart.tsx"

const SettingsDialog = lazy(() => import("./SettingsDialog.tsx"))

type SettingsButtonProps = {
  /** Another identity was chosen or renamed; null while one is in use. */
  readonly onIdentity: (() => void) | null
  /** Opens the diagnostics; null outside of a conference. */
  readonly onDiagnostics: (() => void) | null
}

export function SettingsButton({ onIdentity, onDiagnostics }: SettingsButtonProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className="icon-button" aria-label={t("settings.title")} onClick={() => setOpen(true)}>
        <Settings aria-hidden />
      </button>
      <LazyPart open={open} onClose={() => setOpen(false)}>
        <SettingsDialog onClose={() => setOpen(false)} onIdentity={onIdentity} onDiagnostics={onDiagnostics} />
      </LazyPart>
    </>
  )
}
