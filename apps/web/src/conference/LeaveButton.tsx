import { LogOut } from "lucide-react"
import { AlertDialog } from "radix-ui"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { remainsOf } from "../session/remains.ts"
import type { Remains } from "../session/remains.ts"
import type { Session } from "../session/session.ts"
import { RemainsActions } from "./RemainsActions.tsx"

/** `remains`: what nobody would have any more; null where others are here. */
type Loss = { readonly unsent: number; readonly remains: Remains | null }

/** Asks only if something would be lost. */
export function LeaveButton({ session, onLeave }: { readonly session: Session; readonly onLeave: () => void }) {
  const { t } = useTranslation()
  const [loss, setLoss] = useState<Loss | null>(null)

  function leave(): void {
    const unsent = session.pending.get().length + session.held.get()
    // Who is out of reach has nothing of what was done since.
    const isLast = session.view.get().members.length === 1
    const remains = isLast ? remainsOf(session) : null
    if (unsent === 0 && remains === null) onLeave()
    else setLoss({ unsent, remains })
  }

  return (
    <>
      <button type="button" className="button bar-button leave" aria-label={t("bar.leave")} onClick={leave}>
        <LogOut aria-hidden />
        <span className="bar-label">{t("bar.leave")}</span>
      </button>
      <AlertDialog.Root open={loss !== null} onOpenChange={() => setLoss(null)}>
        <AlertDialog.Portal>
          <AlertDialog.Overlay className="overlay" />
          <AlertDialog.Content className="modal">
            <AlertDialog.Title className="panel-title">{t("leave.title")}</AlertDialog.Title>
            <AlertDialog.Description>
              {loss !== null && loss.unsent > 0 && t("leave.unsent", { count: loss.unsent })}{" "}
              {loss?.remains && t("leave.last")}
            </AlertDialog.Description>
            {loss?.remains && <RemainsActions remains={loss.remains} />}
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
