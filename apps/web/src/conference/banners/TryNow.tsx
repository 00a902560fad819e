import { RefreshCw } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"

/** How long an attempt is shown as running. Success removes the banner. */
const TRYING_MS = 3000

/** Reconnects without waiting for the next automatic attempt. */
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
