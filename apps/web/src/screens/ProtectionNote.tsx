import { Lock } from "lucide-react"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { Modal } from "../ui/Modal.tsx"

const PARAGRAPHS = ["content", "server", "link", "device", "names", "limits"] as const

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
      <Modal title={t("protection.title")} closeLabel={t("protection.close")} open={open} onOpenChange={setOpen}>
        {PARAGRAPHS.map((paragraph) => (
          <p key={paragraph}>{t(`protection.${paragraph}`)}</p>
        ))}
      </Modal>
    </footer>
  )
}
