import { UserCog } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

const SHOWN_MS = 12_000

/** Tells me that a host has changed my role. */
export function MyNewRole({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const changed = useStore(session.myNewRole)
  const [seen, setSeen] = useState(changed)
  useEffect(() => {
    const timer = setTimeout(() => setSeen(changed), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [changed])
  if (changed === null || changed === seen) return null
  return (
    <p className="banner plain">
      <UserCog aria-hidden /> {t(`room.myRole.${changed.role}`)}
    </p>
  )
}
