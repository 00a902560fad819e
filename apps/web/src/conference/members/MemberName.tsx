import type { Member } from "@keymoot/core"
import { BadgeCheck, ShieldAlert } from "lucide-react"
import { useTranslation } from "react-i18next"
import { isOwnDevice } from "../../people/peopleOrder.ts"
import type { Session } from "../../session/session.ts"
import { MemberDot } from "./MemberDot.tsx"

/** A name in its colour; isolated, so that no name can change the writing direction of the text after it. */
export function MemberName({ session, member }: { readonly session: Session; readonly member: Member }) {
  const { t } = useTranslation()
  return (
    <span className="member-name">
      <MemberDot session={session} id={member.id} />
      <bdi title={member.name}>{member.name}</bdi>
      {member.self && <span className="hint">({t("people.you")})</span>}
      {isOwnDevice(member, session.handle.self) && <span className="hint">({t("people.otherDevice")})</span>}
      {member.verified && (
        <span className="verified-badge" role="img" aria-label={t("people.verified")} title={t("people.verified")}>
          <BadgeCheck aria-hidden />
        </span>
      )}
      {member.changedKey && (
        <span className="changed-badge" role="img" aria-label={t("people.changedKey")} title={t("people.changedKey")}>
          <ShieldAlert aria-hidden />
        </span>
      )}
    </span>
  )
}
