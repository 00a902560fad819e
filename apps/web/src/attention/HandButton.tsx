import { Hand } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

/** Raises my hand, and lowers it. Viewers have it, too. */
export function HandButton({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const hand = useStore(session.presence.doing).get(session.handle.self.id)?.hand ?? false
  const label = t(hand ? "room.lowerMine" : "chat.raiseHand")
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={label}
      title={label}
      data-pressed={hand}
      onClick={() => session.presence.raiseHand(!hand)}
    >
      <Hand aria-hidden />
    </button>
  )
}
