import { useTranslation } from "react-i18next"
import { Modal } from "../ui/Modal.tsx"
import { QrCode } from "./QrCode.tsx"

/** The invitation as a code for the camera of a nearby telephone. */
export default function InvitationCode({ url, onClose }: { readonly url: string; readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal title={t("invitation.title")} closeLabel={t("protection.close")} open onOpenChange={onClose}>
      <QrCode text={url} label={t("invitation.qr")} />
      <p className="hint">{t("invitation.hint")}</p>
    </Modal>
  )
}
