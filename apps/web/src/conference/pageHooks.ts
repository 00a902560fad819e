import { useEffect, useSyncExternalStore } from "react"
import { useTranslation } from "react-i18next"
import { usePeopleWaiting } from "../attention/waiting.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

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

/** Without the title of the conference, which only members may read: browsers keep page titles in their history. */
export function useTitle(session: Session): void {
  const { t } = useTranslation()
  const news = useStore(session.unread) + usePeopleWaiting(session)
  useEffect(() => {
    document.title = news > 0 ? `(${news}) ${t("product")}` : t("product")
    return () => {
      document.title = t("product")
    }
  }, [t, news])
}

export function useLeaveWarning(session: Session): void {
  const pending = useStore(session.pending).length
  const isWriting = useSyncExternalStore(session.draft.subscribe, () => session.draft.get().trim() !== "")
  // A reload restores a draft that this device has stored.
  const isStored = useStore(session.storage) === "kept"
  const unsent = pending + useStore(session.held) > 0 || (isWriting && !isStored)
  useEffect(() => {
    if (!unsent) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", warn)
    return () => window.removeEventListener("beforeunload", warn)
  }, [unsent])
}
