import type { Member } from "@keymoot/core"
import { Hand } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { useStore } from "../../store.ts"
import { listNames, NAMED_MAX } from "../names.ts"

const LOWERED_SHOWN_MS = 8000

/** The members with a raised hand, in the order of the people. A host can lower each, and everybody the own one. */
export function Hands({ session }: { readonly session: Session }) {
  const { t, i18n } = useTranslation()
  const doing = useStore(session.presence.doing)
  const loweredBy = useStore(session.presence.loweredBy)
  const { members } = useStore(session.view)
  const raised = members.filter(({ id }) => doing.get(id)?.hand)
  const isHost = members.some(({ self, role }) => self && role === "host")
  const lowerable = raised.filter(({ self }) => isHost || self).slice(0, NAMED_MAX)
  return (
    <>
      {loweredBy !== null && <Lowered key={loweredBy.id} by={loweredBy} />}
      {raised.length > 0 && (
        <p className="banner hands">
          <Hand aria-hidden />
          <span>
            {raised.length <= NAMED_MAX
              ? t("chat.hand", { names: listNames(raised, i18n.language) })
              : t("chat.hands", { count: raised.length })}
          </span>
          {lowerable.map(({ id, self, name }) => (
            <button
              key={id}
              type="button"
              className="button banner-button"
              onClick={() => (self ? session.presence.raiseHand(false) : session.presence.lowerHand(id))}
            >
              {self ? t("room.lowerMine") : t("room.lower", { name })}
            </button>
          ))}
        </p>
      )}
    </>
  )
}

function Lowered({ by }: { readonly by: Member }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setShown(false), LOWERED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!shown) return null
  return (
    <p className="banner hands">
      <Hand aria-hidden /> {t("room.lowered", { name: by.name })}
    </p>
  )
}
