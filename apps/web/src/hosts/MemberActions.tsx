import type { Member, Role } from "@keymoot/core"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Modal } from "../ui/Modal.tsx"

const ROLES: readonly Role[] = ["host", "editor", "viewer"]

type MemberActionsProps = { readonly session: Session; readonly member: Member }

/** What a host can do with another member; for everybody else the member's role, where it is not the usual one. */
export function MemberActions({ session, member }: MemberActionsProps) {
  const { t } = useTranslation()
  const self = useStore(session.view).members.find((other) => other.self)
  const mayRule = self?.role === "host" && !member.self && session.handle.keyAgreement !== "majority"
  if (mayRule) return <Ruling session={session} member={member} />
  return member.role === "editor" ? null : <span className="role">{t(`hosts.roles.${member.role}`)}</span>
}

function Ruling({ session: { handle }, member }: MemberActionsProps) {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  const [asking, setAsking] = useState(false)
  const { id, name, role } = member
  const act = (doing: Promise<void>): void => {
    setFailed(false)
    setAsking(false)
    doing.catch(() => setFailed(true))
  }
  return (
    <>
      <select
        className="role-choice"
        aria-label={t("hosts.roleOf", { name })}
        value={role}
        onChange={(event) => act(handle.setRole(id, ROLES[event.currentTarget.selectedIndex]!))}
      >
        {ROLES.map((each) => (
          <option key={each} value={each}>
            {t(`hosts.roles.${each}`)}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="link-button"
        aria-label={t("hosts.removeName", { name })}
        onClick={() => setAsking(true)}
      >
        {t("hosts.remove")}
      </button>
      {failed && <p className="field-error">{t("hosts.failed")}</p>}
      <Modal
        title={t("hosts.removeTitle", { name })}
        closeLabel={t("hosts.cancel")}
        open={asking}
        onOpenChange={setAsking}
      >
        <p>{t("hosts.removeHint")}</p>
        <div className="actions">
          <button type="button" className="button primary" onClick={() => act(handle.remove(id))}>
            {t("hosts.removeNow")}
          </button>
          <button type="button" className="button" onClick={() => setAsking(false)}>
            {t("hosts.cancel")}
          </button>
        </div>
      </Modal>
    </>
  )
}
