import { useTranslation } from "react-i18next"
import { Modal } from "../ui/Modal.tsx"

const PARAGRAPHS = ["content", "server", "link", "device", "names", "limits"] as const

export default function ProtectionDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal title={t("protection.title")} closeLabel={t("protection.close")} open onOpenChange={onClose}>
      {PARAGRAPHS.map((paragraph) => (
        <p key={paragraph}>{t(`protection.${paragraph}`)}</p>
      ))}
    </Modal>
  )
}
