import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { isolated } from "../i18n/isolated.ts"
import { useStore } from "../store.ts"

/** With a roster: its absent members, and, under majority, the consequence for the key. */
export function AbsentPeople({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const { members } = useStore(session.view)
  const { admission, keyAgreement } = session.handle
  if (admission.policy !== "roster") return null
  const here = new Set(members.map(({ id }) => id))
  const names = admission.people.filter(({ id }) => !here.has(id)).map(({ name }) => isolated(name))
  const list = new Intl.ListFormat(i18n.language, { type: "conjunction" }).format(names)
  return (
    <>
      <p className="hint">
        {names.length === 0 ? t("roster.everybodyHere") : t("roster.absent", { names: list, count: names.length })}
      </p>
      {keyAgreement === "majority" && <p className="hint">{t("roster.majority")}</p>}
    </>
  )
}
