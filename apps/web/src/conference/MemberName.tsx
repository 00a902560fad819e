import type { Member } from "@keymoot/core"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { MemberDot } from "./MemberDot.tsx"

/** A name in its colour; isolated, so that no name can turn the writing direction of what follows. */
export function MemberName({ session, member }: { readonly session: Session; readonly member: Member }) {
  const { t } = useTranslation()
  return (
    <span className="member-name">
      <MemberDot session={session} id={member.id} />
      <bdi>{member.name}</bdi>
      {member.self && <span className="hint">({t("people.you")})</span>}
    </span>
  )
}
