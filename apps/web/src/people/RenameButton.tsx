import { type FormEvent, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Modal } from "../ui/Modal.tsx"
import { NameField } from "../ui/NameField.tsx"
import { useNameField } from "../ui/useNameField.ts"

/** Changes my name in this conference, unless a guest list or an authority gave it to me. */
export function RenameButton({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const { copyOnly, admission } = session.handle
  if (copyOnly || admission.policy === "roster" || admission.policy === "ca") return null
  return (
    <>
      <button type="button" className="link-button rename" onClick={() => setOpen(true)}>
        {t("rename.open")}
      </button>
      <Modal title={t("rename.open")} closeLabel={t("hosts.cancel")} open={open} onOpenChange={setOpen}>
        <RenameForm session={session} onDone={() => setOpen(false)} />
      </Modal>
    </>
  )
}

function RenameForm({ session, onDone }: { readonly session: Session; readonly onDone: () => void }) {
  const { t } = useTranslation()
  const { name, role } = session.handle.self
  /** A host admits a certificate, and the new name is in another one. */
  const mustKnock = session.handle.admission.policy === "approval" && role !== "host"
  const field = useNameField(name)
  /** The return needs the server, and the farewell does not. */
  const mayReturn = useStore(session.server) === "up"
  const unsent = useStore(session.pending).length + useStore(session.held)

  function submit(event: FormEvent): void {
    event.preventDefault()
    const next = field.take()
    if (next === null || !mayReturn) return
    onDone()
    if (next !== name) session.renameTo.set(next)
  }

  return (
    <form onSubmit={submit} noValidate>
      <NameField field={field} />
      <p className="hint">{t(mayReturn ? "rename.hint" : "rename.serverDown")}</p>
      {mayReturn && mustKnock && <p className="hint">{t("rename.knock")}</p>}
      {unsent > 0 && <p className="hint">{t("leave.unsent", { count: unsent })}</p>}
      <div className="actions">
        <button type="submit" className="button primary" disabled={!mayReturn}>
          {t("rename.change")}
        </button>
        <button type="button" className="button" onClick={onDone}>
          {t("hosts.cancel")}
        </button>
      </div>
    </form>
  )
}
