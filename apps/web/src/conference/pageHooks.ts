import { useEffect } from "react"
import { useTranslation } from "react-i18next"
import { settings } from "../settings/settings.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import type { Readable } from "../store.ts"
import { playSound } from "./sound.ts"

/** Publishes my presence: a movement means that I am here, a hidden page that I am away. */
export function useActivity({ presence }: Session): void {
  useEffect(() => {
    const seen = () => presence.seen(!document.hidden)
    const events = ["pointerdown", "pointermove", "keydown"] as const
    for (const event of events) window.addEventListener(event, presence.active, { passive: true })
    document.addEventListener("visibilitychange", seen)
    return () => {
      for (const event of events) window.removeEventListener(event, presence.active)
      document.removeEventListener("visibilitychange", seen)
    }
  }, [presence])
}

/** Messages count as read while the chat is open in a visible tab. */
export function useReading(session: Session, chatOpen: boolean): void {
  useEffect(() => {
    const update = () => session.setChatVisible(chatOpen && !document.hidden)
    update()
    document.addEventListener("visibilitychange", update)
    return () => document.removeEventListener("visibilitychange", update)
  }, [session, chatOpen])
}

export function useTitle(session: Session): void {
  const { t } = useTranslation()
  const news = useStore(session.unread) + useStore(session.admission).knocks.length
  const title = session.handle.title === "" ? t("product") : session.handle.title
  useEffect(() => {
    document.title = news > 0 ? `(${news}) ${title}` : title
    return () => {
      document.title = t("product")
    }
  }, [t, news, title])
}

/** If the person wants notifications: without content, and one at a time. */
export function useNotifications(session: Session): void {
  const { t } = useTranslation()
  useEffect(() => {
    const stops = [
      whenItGrows(
        session.unread,
        (unread) => unread,
        () => notify(t("settings.newMessage"), session.handle.id),
      ),
      whenItGrows(
        session.admission,
        ({ knocks }) => knocks.length,
        () => notify(t("settings.newKnock"), session.handle.id),
      ),
    ]
    return () => stops.forEach((stop) => stop())
  }, [session, t])
}

function whenItGrows<T>(source: Readable<T>, countOf: (value: T) => number, act: () => void): () => void {
  let before = countOf(source.get())
  return source.subscribe(() => {
    const count = countOf(source.get())
    if (count > before) act()
    before = count
  })
}

/** By sound, and by the system if the page is hidden; each only if the person wants it. */
function notify(text: string, tag: string): void {
  if (settings.get().sounds) playSound()
  if (!document.hidden || !settings.get().notifications) return
  try {
    const notification = new Notification(text, { tag })
    notification.addEventListener("click", () => window.focus())
  } catch {
    // Some telephones allow this only to service workers.
  }
}

export function useLeaveWarning(session: Session): void {
  const pending = useStore(session.pending).length
  const unsent = pending + useStore(session.held) > 0
  useEffect(() => {
    if (!unsent) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", warn)
    return () => window.removeEventListener("beforeunload", warn)
  }, [unsent])
}
