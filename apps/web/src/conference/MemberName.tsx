import type { Member } from "@keymoot/core"
import { useTranslation } from "react-i18next"
import { memberColour } from "./memberColour.ts"

/** A name in its colour; isolated, so that no name can turn the writing direction of what follows. */
export function MemberName({ member }: { readonly member: Member }) {
  const { t } = useTranslation()
  return (
    <span className="member-name">
      <span className="member-dot" style={{ backgroundColor: memberColour(member.id) }} aria-hidden="true" />
      <bdi>{member.name}</bdi>
      {member.self && <span className="hint">({t("people.you")})</span>}
    </span>
  )
}
