import { BellRing } from "lucide-react"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { playSound } from "./sound.ts"
import type { Session } from "../session/session.ts"
import { canNotify, notificationPermission, turnNotifications } from "../settings/notifications.ts"
import { change, settings } from "../settings/settings.ts"
import { useStore } from "../store.ts"
import { DismissButton } from "../ui/feedback/DismissButton.tsx"

/**
 * Offers sound and notifications to a host at the first knock, while both are off. It stays after the knock has been
 * answered, until the host has chosen. It comes again on this device only if the browser withdraws notifications.
 */
export function OfferNotices({ session }: { readonly session: Session }) {
  const { t } = useTranslation()
  const { notifications, sounds, noticesOffered } = useStore(settings)
  const isKnocking = useStore(session.admission).knocks.length > 0
  const [asked, setAsked] = useState(false)
  const [refused, setRefused] = useState(false)
  useEffect(() => {
    if (!isKnocking) return
    setAsked(true)
    if (settings.get().notifications && notificationPermission() !== "granted")
      change({ notifications: false, noticesOffered: false })
  }, [isKnocking])
  if (noticesOffered || notifications || sounds || !(asked || isKnocking)) return null

  const done = (): void => change({ noticesOffered: true })

  async function notify(): Promise<void> {
    if (await turnNotifications(true)) done()
    else setRefused(true)
  }

  return (
    <p className="banner plain">
      <BellRing aria-hidden />
      <span>{t(refused ? "settings.notificationsRefused" : "settings.offer.question")}</span>
      <button
        type="button"
        className="button banner-button"
        onClick={() => {
          change({ sounds: true, noticesOffered: true })
          playSound()
        }}
      >
        {t("settings.offer.sound")}
      </button>
      {canNotify() && !refused && (
        <button type="button" className="button banner-button" onClick={() => void notify()}>
          {t("settings.offer.notification")}
        </button>
      )}
      <DismissButton label={t("settings.offer.decline")} onClick={done} />
    </p>
  )
}
