import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { Failure } from "../../ui/feedback/Failure.tsx"
import { Check } from "../../ui/Check.tsx"
import { Modal } from "../../ui/Modal.tsx"

type MoveDialogProps = {
  readonly session: Session
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}

/** Asks before the board is copied into a new conference, and whether the people here get its link. */
export function MoveDialog({ session, open, onOpen }: MoveDialogProps) {
  const { t } = useTranslation()
  const { handle } = session
  const isViewer = useStore(session.view).members.some(({ self, role }) => self && role === "viewer")
  const mayTell = !isViewer && !handle.copyOnly
  const [tells, setTells] = useState(true)
  const [state, setState] = useState<"asking" | "moving" | "failed">("asking")

  async function move(): Promise<void> {
    setState("moving")
    const message = mayTell && tells ? (url: string) => t("moving.message", { url }) : null
    await session.moveOn
      .get()?.(message)
      .catch(() => setState("failed"))
  }

  return (
    <Modal title={t("moving.open")} closeLabel={t("hosts.cancel")} open={open} onOpenChange={onOpen}>
      <p>{t("moving.hint")}</p>
      {handle.admission.policy !== "link" && <p>{t("moving.rules")}</p>}
      {mayTell && <Check label={t("moving.tell")} hint={t("moving.tellHint")} checked={tells} onChecked={setTells} />}
      {state === "failed" && <Failure text={t("moving.failed")} />}
      <div className="actions">
        <button type="button" className="button primary" disabled={state === "moving"} onClick={() => void move()}>
          {t("moving.go")}
        </button>
        <button type="button" className="button" onClick={() => onOpen(false)}>
          {t("hosts.cancel")}
        </button>
      </div>
    </Modal>
  )
}
