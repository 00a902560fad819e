import { useState } from "react"
import { useTranslation } from "react-i18next"
import { listNames } from "../conference/names.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Failure } from "../ui/feedback/Failure.tsx"

/** Lets the only host of a conference make another person a host before it leaves. */
export function HandOver({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const { members } = useStore(session.view)
  const [state, setState] = useState<"open" | "working" | "failed">("open")
  const others = members.filter(({ self }) => !self)
  const hosts = others.filter(({ role }) => role === "host")
  if (hosts.length > 0)
    return (
      <p className="hint" role="status">
        {t("hosts.handedOver", { count: hosts.length, names: listNames(hosts, i18n.language) })}
      </p>
    )
  return (
    <>
      <ul className="plain-list hand-over">
        {others
          .filter(({ maySetRole }) => maySetRole)
          .map(({ id, name }) => (
            <li key={id}>
              <button
                type="button"
                className="button"
                disabled={state === "working"}
                onClick={() => {
                  setState("working")
                  session.handle.setRole(id, "host").catch(() => setState("failed"))
                }}
              >
                <bdi>{t("hosts.makeHost", { name })}</bdi>
              </button>
            </li>
          ))}
      </ul>
      {state === "failed" && <Failure text={t("hosts.failed")} />}
    </>
  )
}
