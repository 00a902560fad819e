import type { LinkPath, Member } from "@keymoot/core"
import { useTranslation } from "react-i18next"
import { CertifiedBy } from "../certificates/CertifiedBy.tsx"
import { InvitationCodeButton } from "../people/InvitationCodeButton.tsx"
import { Knocks } from "../hosts/Knocks.tsx"
import { AbsentPeople } from "../roster/AbsentPeople.tsx"
import { missingForKey } from "../roster/missing.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { DoingMark } from "./DoingMark.tsx"
import { MemberName } from "./MemberName.tsx"
import { listNames } from "./names.ts"
import { PersonMenu } from "./PersonMenu.tsx"

export function PeoplePanel({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const view = useStore(session.view)
  const isAgreeing = ["agreeing", "keyed"].includes(view.status) && missingForKey(view, session.handle) === 0
  const links = useStore(session.links)
  const url = useStore(session.invitation)
  const lost = useStore(session.lost)
  return (
    <div className="people">
      <Knocks session={session} />
      <h2 className="panel-lead">{t("people.title", { count: view.members.length })}</h2>
      {isAgreeing && <p className="hint">{t("people.agreeing")}</p>}
      <ul className="plain-list">
        {view.members.map((member) => (
          <li key={member.id} className="person-row" data-changed={member.changedKey}>
            <MemberName session={session} member={member} />
            <DoingMark session={session} id={member.id} />
            {member.role !== "editor" && <span className="role tag">{t(`hosts.roles.${member.role}`)}</span>}
            {!member.self && <PersonMenu session={session} member={member} />}
            <Detour path={links.get(member.id)} />
            <CertifiedBy conference={session.handle} />
            {member.changedKey && <p className="alarm-text">{t("alarm.row")}</p>}
          </li>
        ))}
      </ul>
      <LostPeople lost={lost} />
      <AbsentPeople session={session} />
      {view.status === "secured" && view.members.length === 1 && lost.length === 0 && (
        <p className="hint">{t("people.invite")}</p>
      )}
      <InvitationCodeButton url={url} className="people-qr" />
    </div>
  )
}

/** Who may come back at any moment. */
function LostPeople({ lost }: { readonly lost: readonly Member[] }) {
  const { t, i18n } = useTranslation()
  if (lost.length === 0) return null
  return <p className="hint">{t("people.lost", { names: listNames(lost, i18n.language) })}</p>
}

/** Said only where it is not as it should be: then things are slower. */
function Detour({ path }: { readonly path: LinkPath | undefined }) {
  const { t } = useTranslation()
  if (path === undefined || path === "direct") return null
  return <p className="hint">{t(path === "relayed-by-server" ? "people.byServer" : "people.byMember")}</p>
}
