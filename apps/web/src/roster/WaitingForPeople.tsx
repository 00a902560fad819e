import { Hourglass } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { missingForKey } from "./missing.ts"

/** A view of a few passes through this state when there is a key already. */
const SHOWN_AFTER_MS = 1500

/** Under majority: the key waits for more members of the roster. */
export function WaitingForPeople({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const missing = missingForKey(useStore(session.view), session.handle)
  const [shown, setShown] = useState(false)
  const waits = missing > 0
  useEffect(() => {
    setShown(false)
    if (!waits) return
    const timer = setTimeout(() => setShown(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [waits])
  if (!shown || !waits) return null
  return (
    <p className="banner">
      <Hourglass aria-hidden /> {t("roster.waiting", { count: missing })}
    </p>
  )
}
