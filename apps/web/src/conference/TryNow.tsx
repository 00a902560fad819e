import { RefreshCw } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"

/** So long an attempt is said to be under way: its end shows itself by the banner going away. */
const TRYING_MS = 3000

/** For who does not want to wait until it is tried again by itself. */
export function TryNow({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const [trying, setTrying] = useState(false)
  useEffect(() => {
    if (!trying) return
    const timer = setTimeout(() => setTrying(false), TRYING_MS)
    return () => clearTimeout(timer)
  }, [trying])

  function tryNow(): void {
    setTrying(true)
    session.handle.reconnect().catch(() => undefined) // The conference is over, and says so itself.
  }

  return (
    <button type="button" className="button banner-button" aria-disabled={trying} onClick={() => !trying && tryNow()}>
      <RefreshCw aria-hidden /> {t(trying ? "banner.trying" : "banner.tryNow")}
    </button>
  )
}
