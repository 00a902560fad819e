import { useTranslation } from "react-i18next"
import { Modal } from "../ui/Modal.tsx"

type RemoveDialogProps = {
  readonly name: string
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
  readonly onRemove: () => void
}

/** A removal cannot be undone. */
export function RemoveDialog({ name, open, onOpen, onRemove }: RemoveDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal title={t("hosts.removeTitle", { name })} closeLabel={t("hosts.cancel")} open={open} onOpenChange={onOpen}>
      <p>{t("hosts.removeHint")}</p>
      <div className="actions">
        <button type="button" className="button primary danger" onClick={onRemove}>
          {t("hosts.removeNow")}
        </button>
        <button type="button" className="button" onClick={() => onOpen(false)}>
          {t("hosts.cancel")}
        </button>
      </div>
    </Modal>
  )
}
