import { useTranslation } from "react-i18next"
import { InvitationHint } from "../invite/InvitationHint.tsx"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Modal } from "../ui/Modal.tsx"
import { QrCode } from "./QrCode.tsx"

type InvitationCodeProps = { readonly session: Session; readonly onClose: () => void }

/** The invitation as a code for the camera of a nearby telephone. */
export default function InvitationCode({ session, onClose }: InvitationCodeProps) {
  const { t } = useTranslation()
  const url = useStore(session.invitation)
  return (
    <Modal title={t("invitation.title")} closeLabel={t("protection.close")} open onOpenChange={onClose}>
      <QrCode text={url} label={t("invitation.qr")} />
      <InvitationHint policy={session.handle.admission.policy} />
    </Modal>
  )
}
