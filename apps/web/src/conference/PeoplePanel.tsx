import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { MemberName } from "./MemberName.tsx"

export function PeoplePanel({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const view = useStore(session.view)
  return (
    <div className="people">
      <h2 className="panel-lead">{t("people.title", { count: view.members.length })}</h2>
      {(view.status === "agreeing" || view.status === "keyed") && <p className="hint">{t("people.agreeing")}</p>}
      <ul className="plain-list">
        {view.members.map((member) => (
          <li key={member.id}>
            <MemberName session={session} member={member} />
          </li>
        ))}
      </ul>
      {view.status === "secured" && view.members.length === 1 && <p className="hint">{t("people.invite")}</p>}
    </div>
  )
}
