import type { Member } from "@keymoot/core"
import { ShieldAlert } from "lucide-react"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { DismissButton } from "../ui/feedback/DismissButton.tsx"

/** A member or an earlier author has a known name with another key: shown above everything, until resolved. */
export function Alarms({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { members } = useStore(session.view)
  const hidden = useStore(session.hiddenAlarms)
  const authors = useStore(session.falseAuthors)
  const changed = members.filter(({ id, changedKey }) => changedKey && !hidden.has(id))
  const past = authors.filter(({ id }) => !hidden.has(id) && !members.some((member) => member.id === id))
  if (changed.length + past.length === 0) return null
  return (
    <div role="alert">
      {changed.map(({ id, name }) => (
        <Alarm key={id} id={id} text={t("alarm.changedKey", { name })} session={session}>
          <button type="button" className="button" onClick={() => session.verifying.set(id)}>
            {t("alarm.compare")}
          </button>
        </Alarm>
      ))}
      {past.map(({ id, name }) => (
        <Alarm key={id} id={id} text={t("alarm.past", { name })} session={session} />
      ))}
    </div>
  )
}

type AlarmProps = {
  readonly id: Member["id"]
  readonly text: string
  readonly session: Session
  /** The actions besides hiding it. */
  readonly children?: ReactNode
}

function Alarm({ id, text, session, children }: AlarmProps) {
  const { t } = useTranslation()
  const { hiddenAlarms } = session
  return (
    <div className="alarm">
      <ShieldAlert aria-hidden />
      <p>{text}</p>
      {children}
      <DismissButton label={t("alarm.hide")} onClick={() => hiddenAlarms.set(new Set([...hiddenAlarms.get(), id]))} />
    </div>
  )
}
