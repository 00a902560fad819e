import { Popover } from "radix-ui"
import { useTranslation } from "react-i18next"
import { MemberName } from "../conference/members/MemberName.tsx"
import { inPeopleOrder, isOwnDevice } from "../people/peopleOrder.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** The people that can read this, how many of them this person has verified, and how to verify the others. */
export function VerifiedPeople({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const { members } = useStore(session.view)
  const others = members.filter((member) => !member.self && !isOwnDevice(member, session.handle.self))
  const verified = others.filter((member) => member.verified).length
  return (
    <>
      <h3>{t("security.members")}</h3>
      <ul className="plain-list">
        {inPeopleOrder(members, i18n.language).map((member) => (
          <li key={member.id} className="person-row">
            <MemberName session={session} member={member} />
            {others.includes(member) && !member.verified && (
              <Popover.Close
                className="link-button"
                aria-label={t("security.verifyName", { name: member.name })}
                onClick={() => session.verifying.set(member.id)}
              >
                {t("people.verify")}
              </Popover.Close>
            )}
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <p className="hint">
          {verified === others.length
            ? t("security.allVerified")
            : t("security.verifiedOf", { count: verified, all: others.length })}
        </p>
      )}
    </>
  )
}
