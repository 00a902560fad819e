import type { LinkPath, Member } from "@keymoot/core"
import { useTranslation } from "react-i18next"
import { CertifiedBy } from "../../certificates/CertifiedBy.tsx"
import { InvitationCodeButton } from "../../people/InvitationCodeButton.tsx"
import { RenameButton } from "../../people/RenameButton.tsx"
import { inPeopleOrder } from "../../people/peopleOrder.ts"
import { useAlone } from "../../invite/AloneCard.tsx"
import { Knocks } from "../../hosts/Knocks.tsx"
import { AbsentPeople } from "../../roster/AbsentPeople.tsx"
import { missingForKey } from "../../roster/missing.ts"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { DoingMark } from "./DoingMark.tsx"
import { MemberName } from "./MemberName.tsx"
import { listNames } from "../names.ts"
import { PersonMenu } from "./PersonMenu.tsx"

export function PeoplePanel({ session }: { readonly session: Session }) {
  return session.handle.copyOnly ? <NobodyHere /> : <PeopleHere session={session} />
}

/** In a copy the only member is its reader. */
function NobodyHere() {
  const { t } = useTranslation()
  return (
    <div className="people">
      <h2 className="panel-lead" tabIndex={-1}>
        {t("bar.people")}
      </h2>
      <p className="hint">{t("people.copy")}</p>
    </div>
  )
}

function PeopleHere({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const view = useStore(session.view)
  const isAgreeing = ["agreeing", "keyed"].includes(view.status) && missingForKey(view, session.handle) === 0
  const links = useStore(session.links)
  const lost = useStore(session.lost)
  const reloading = useStore(session.reloading)
  const alone = useAlone(session)
  return (
    <div className="people">
      <Knocks session={session} />
      <h2 className="panel-lead" tabIndex={-1}>
        {t("people.title", { count: view.members.length })}
      </h2>
      {isAgreeing && <p className="hint">{t("people.agreeing")}</p>}
      <ul className="plain-list">
        {inPeopleOrder(view.members, i18n.language).map((member) => (
          <li key={member.id} className="person-row" data-changed={member.changedKey}>
            <MemberName session={session} member={member} />
            <DoingMark session={session} id={member.id} />
            <RoleTag member={member} members={view.members} />
            {member.self ? <RenameButton session={session} /> : <PersonMenu session={session} member={member} />}
            {view.namesakes.includes(member.id) && <p className="hint">{t("people.sameName")}</p>}
            <Detour path={links.get(member.id)} />
            <CertifiedBy conference={session.handle} />
            {member.changedKey && <p className="alarm-text">{t("alarm.row")}</p>}
          </li>
        ))}
      </ul>
      <LostPeople lost={lost.filter(({ id }) => !reloading.has(id))} />
      <AbsentPeople session={session} />
      {alone && <p className="hint">{t("people.invite")}</p>}
      <InvitationCodeButton session={session} className="people-qr" />
    </div>
  )
}

/** Hosts show their rank as soon as there are several. */
function RoleTag({
  member: { role, rank },
  members,
}: {
  readonly member: Member
  readonly members: readonly Member[]
}) {
  const { t } = useTranslation()
  if (role === "editor") return null
  if (rank === null || members.every((other) => (other.rank ?? 0) === 0))
    return <span className="role tag">{t(`hosts.roles.${role}`)}</span>
  return (
    <span className="role tag" title={t("hosts.rankHint")}>
      {t("hosts.rank", { rank: rank + 1 })}
    </span>
  )
}

/** Lost members, who may return at any moment. */
function LostPeople({ lost }: { readonly lost: readonly Member[] }) {
  const { t, i18n } = useTranslation()
  if (lost.length === 0) return null
  return <p className="hint">{t("people.lost", { names: listNames(lost, i18n.language) })}</p>
}

/** Shown only for an indirect path, which is slower. */
function Detour({ path }: { readonly path: LinkPath | undefined }) {
  const { t } = useTranslation()
  if (path === undefined || path === "direct") return null
  return <p className="hint">{t(path === "relayed-by-server" ? "people.byServer" : "people.byMember")}</p>
}
