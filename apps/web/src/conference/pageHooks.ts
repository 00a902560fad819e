import { useEffect } from "react"
import { useTranslation } from "react-i18next"
import { settings } from "../settings/settings.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { playSound } from "./sound.ts"

/** What the others are told of my being here: a movement says that I am, a hidden page that I am not. */
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

/** Messages count as read while the chat is open in a tab that is seen. */
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
  const unread = useStore(session.unread)
  const title = session.handle.title === "" ? t("product") : session.handle.title
  useEffect(() => {
    document.title = unread > 0 ? `(${unread}) ${title}` : title
    return () => {
      document.title = t("product")
    }
  }, [t, unread, title])
}

/** Where the person wants that: without content, and one at a time. */
export function useNotifications(session: Session): void {
  const { t } = useTranslation()
  useEffect(() => {
    let before = session.unread.get()
    return session.unread.subscribe(() => {
      const unread = session.unread.get()
      const isNews = unread > before
      before = unread
      if (isNews && settings.get().sounds) playSound()
      if (!isNews || !document.hidden || !settings.get().notifications) return
      try {
        const notification = new Notification(t("settings.newMessage"), { tag: session.handle.id })
        notification.addEventListener("click", () => window.focus())
      } catch {
        // Some telephones let only service workers do this.
      }
    })
  }, [session, t])
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
