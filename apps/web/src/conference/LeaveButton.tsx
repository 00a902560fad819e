import { LogOut } from "lucide-react"
import { AlertDialog } from "radix-ui"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"

/** Asks only if something would be lost. */
export function LeaveButton({ session, onLeave }: { readonly session: Session; readonly onLeave: () => void }) {
  const { t } = useTranslation()
  const [unsent, setUnsent] = useState<number | null>(null)

  function leave(): void {
    const waiting = session.pending.get().length + session.held.get()
    if (waiting === 0) onLeave()
    else setUnsent(waiting)
  }

  return (
    <>
      <button type="button" className="button bar-button leave" aria-label={t("bar.leave")} onClick={leave}>
        <LogOut aria-hidden />
        <span className="bar-label">{t("bar.leave")}</span>
      </button>
      <AlertDialog.Root open={unsent !== null} onOpenChange={() => setUnsent(null)}>
        <AlertDialog.Portal>
          <AlertDialog.Overlay className="overlay" />
          <AlertDialog.Content className="modal">
            <AlertDialog.Title className="panel-title">{t("leave.title")}</AlertDialog.Title>
            <AlertDialog.Description>{t("leave.unsent", { count: unsent ?? 0 })}</AlertDialog.Description>
            <div className="actions">
              <AlertDialog.Cancel className="button primary">{t("leave.stay")}</AlertDialog.Cancel>
              <AlertDialog.Action className="button" onClick={onLeave}>
                {t("leave.leave")}
              </AlertDialog.Action>
            </div>
          </AlertDialog.Content>
        </AlertDialog.Portal>
      </AlertDialog.Root>
    </>
  )
}
