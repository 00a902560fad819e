import { LogOut } from "lucide-react"
import { AlertDialog } from "radix-ui"
import { useRef, useState } from "react"
import { useTranslation } from "react-i18next"
import { HandOver } from "../hosts/HandOver.tsx"
import { isOnlyHost } from "../hosts/onlyHost.ts"
import { type Remains, remainsOf } from "../session/remains.ts"
import type { Session } from "../session/session.ts"
import { useByClick } from "../ui/useFocusBack.ts"
import { RemainsActions } from "./RemainsActions.tsx"

/**
 * `files`: own ones that the others have not fetched by themselves. `remains`: content that nobody would have any more;
 * null if others are here. `isLast`: nobody else is here. `hostless`: this is the only host of people that are here or
 * wait outside.
 */
type Loss = {
  readonly unsent: number
  readonly files: number
  readonly remains: Remains | null
  readonly isLast: boolean
  readonly hostless: boolean
}

/** Asks only if something would be lost, or nobody could let people in any more. */
export function LeaveButton({ session, onLeave }: { readonly session: Session; readonly onLeave: () => void }) {
  const { t } = useTranslation()
  const [loss, setLoss] = useState<Loss | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const byClick = useByClick()

  function leave(): void {
    const isWriting = session.draft.get().trim() !== ""
    const unsent = session.pending.get().length + session.held.get() + (isWriting ? 1 : 0)
    // An unreachable member has no later changes.
    const view = session.view.get()
    const isLast = view.members.length === 1
    const isNeeded = !isLast || session.admission.get().knocks.length > 0
    const hostless = isNeeded && isOnlyHost(session.handle, view)
    const remains = isLast ? remainsOf(session) : null
    // Alone, nobody is left to download them.
    const files = isLast ? 0 : session.files.largeOwn()
    if (unsent === 0 && files === 0 && remains === null && !hostless) onLeave()
    else setLoss({ unsent, files, remains, isLast, hostless })
  }

  return (
    <>
      <button
        ref={opener}
        type="button"
        className="button bar-button leave"
        aria-label={t("bar.leave")}
        onClick={leave}
      >
        <LogOut aria-hidden />
        <span className="bar-label">{t("bar.leave")}</span>
      </button>
      <AlertDialog.Root open={loss !== null} onOpenChange={() => setLoss(null)}>
        <AlertDialog.Portal>
          <AlertDialog.Overlay className="overlay" />
          <AlertDialog.Content
            className="modal"
            // Radix returns the focus to a trigger only, and this has none. After a click the space bar talks: see
            // `useFocusBack`.
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              if (!byClick.current) opener.current?.focus()
            }}
          >
            <AlertDialog.Title className="panel-title">{t("leave.title")}</AlertDialog.Title>
            <AlertDialog.Description>
              {loss !== null && loss.unsent > 0 && t("leave.unsent", { count: loss.unsent })}{" "}
              {loss !== null && loss.files > 0 && t("leave.files", { count: loss.files })}{" "}
              {loss?.remains && t("leave.last")} {loss?.isLast === false && t("leave.copy")}{" "}
              {loss?.hostless && t("leave.onlyHost")}
            </AlertDialog.Description>
            {loss?.remains && <RemainsActions remains={loss.remains} evidence={session} />}
            {loss?.hostless && <HandOver session={session} />}
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
