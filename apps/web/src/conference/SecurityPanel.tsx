import { X } from "lucide-react"
import { Popover } from "radix-ui"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { MemberName } from "./MemberName.tsx"
import { SecurityLog } from "./SecurityLog.tsx"

export function SecurityPanel({ session, titleId }: { readonly session: Session; readonly titleId: string }) {
  const { t, i18n } = useTranslation()
  const view = useStore(session.view)
  const secured = view.status === "secured"
  const code = useConferenceCode(session)
  const since =
    view.securedAtMs === null ? t("security.notYet") : new Date(view.securedAtMs).toLocaleString(i18n.language)
  return (
    <>
      <div className="panel-head">
        <h2 id={titleId} className="panel-title">
          {t("security.title")}
        </h2>
        <Popover.Close className="icon-button" aria-label={t("security.close")}>
          <X aria-hidden />
        </Popover.Close>
      </div>
      <p className="panel-lead">{secured ? t("lock.encrypted", { count: view.members.length }) : t("lock.agreeing")}</p>
      <dl className="facts">
        <dt>{t("security.epoch")}</dt>
        <dd>{view.epoch}</dd>
        <dt>{t("security.module")}</dt>
        <dd>{t(`security.modules.${session.handle.keyAgreement}`)}</dd>
        <dt>{t("security.since")}</dt>
        <dd>{since}</dd>
      </dl>
      <h3>{t("security.code")}</h3>
      {code === null ? <p className="hint">{t("security.codeWaiting")}</p> : <p className="code">{code}</p>}
      <p className="hint">{t("security.codeHint")}</p>
      <h3>{t("security.members")}</h3>
      <ul className="plain-list">
        {view.members.map((member) => (
          <li key={member.id}>
            <MemberName session={session} member={member} />
          </li>
        ))}
      </ul>
      <h3>{t("security.log")}</h3>
      <SecurityLog session={session} />
    </>
  )
}

/** Null while there is none: the code belongs to a membership whose key has been agreed. */
function useConferenceCode(session: Session): string | null {
  const { id, status } = useStore(session.view)
  const [code, setCode] = useState<{ readonly view: string; readonly digits: string } | null>(null)
  useEffect(() => {
    if (status !== "secured") return
    let current = true
    session.handle.conferenceCode().then(
      (digits) => current && setCode({ view: id, digits }),
      () => undefined, // The conference ended meanwhile; the next view asks again.
    )
    return () => {
      current = false
    }
  }, [session, id, status])
  return code !== null && code.view === id && status === "secured" ? code.digits : null
}
