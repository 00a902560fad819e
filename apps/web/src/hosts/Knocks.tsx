import type { Person } from "@keymoot/core"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** For hosts: who wants to come in. */
export function Knocks({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { knocks } = useStore(session.admission)
  if (knocks.length === 0) return null
  return (
    <section className="knocks" aria-label={t("hosts.knocks")}>
      <h2 className="panel-lead">{t("hosts.knocks")}</h2>
      <ul className="plain-list">
        {knocks.map((person) => (
          <Knock key={person.id} session={session} person={person} />
        ))}
      </ul>
    </section>
  )
}

function Knock({ session: { handle }, person }: { readonly session: Session; readonly person: Person }) {
  const { t } = useTranslation()
  const [state, setState] = useState<"open" | "answered" | "failed">("open")
  const { id, name } = person
  const answer = (act: Promise<void>): void => {
    setState("answered")
    act.catch(() => setState("failed"))
  }
  return (
    <li className="person-row">
      <span className="member-name">
        <bdi title={name}>{name}</bdi>
      </span>
      <button
        type="button"
        className="link-button"
        aria-label={t("hosts.admitName", { name })}
        disabled={state === "answered"}
        onClick={() => answer(handle.admit(id))}
      >
        {t("hosts.admit")}
      </button>
      <button
        type="button"
        className="link-button"
        aria-label={t("hosts.refuseName", { name })}
        disabled={state === "answered"}
        onClick={() => answer(handle.refuse(id))}
      >
        {t("hosts.refuse")}
      </button>
      {state === "failed" && <p className="field-error">{t("hosts.failed")}</p>}
    </li>
  )
}
