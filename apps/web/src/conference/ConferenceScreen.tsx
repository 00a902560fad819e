import "../styles/chat-more.css"
import "../styles/people.css"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { BoardPane } from "../board/BoardPane.tsx"
import { Alarms } from "../people/Alarms.tsx"
import { LazyVerifyDialog } from "../people/lazyPeople.tsx"
import { settings } from "../settings/settings.ts"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Banners } from "./Banners.tsx"
import { Drawer } from "./Drawer.tsx"
import type { DrawerTab } from "./Drawer.tsx"
import { NewsAnnouncer } from "./NewsAnnouncer.tsx"
import { TopBar } from "./TopBar.tsx"

type ConferenceScreenProps = { readonly session: Session; readonly onLeave: () => void }

/** On a phone the whiteboard comes first, and the drawer is a sheet that is called. */
const isPhone = () => matchMedia("(max-width: 720px)").matches

export default function ConferenceScreen({ session, onLeave }: ConferenceScreenProps) {
  const [drawer, setDrawer] = useState<DrawerTab | null>(() => (isPhone() ? null : "chat"))
  useReading(session, drawer === "chat")
  useTitle(session)
  useLeaveWarning(session)
  useNotifications(session)
  useActivity(session)
  return (
    <div className="conference" data-drawer={drawer === null ? "closed" : "open"}>
      <TopBar session={session} drawer={drawer} onDrawer={setDrawer} onLeave={onLeave} />
      <Alarms session={session} />
      <main className="stage">
        <div className="board-area">
          <BoardPane session={session} />
          <Banners session={session} />
        </div>
        {drawer !== null && <Drawer session={session} tab={drawer} onTab={setDrawer} />}
      </main>
      <NewsAnnouncer session={session} />
      <LazyVerifyDialog session={session} />
    </div>
  )
}

/** What the others are told of my being here: a movement says that I am, a hidden page that I am not. */
function useActivity({ presence }: Session): void {
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
function useReading(session: Session, chatOpen: boolean): void {
  useEffect(() => {
    const update = () => session.setChatVisible(chatOpen && !document.hidden)
    update()
    document.addEventListener("visibilitychange", update)
    return () => document.removeEventListener("visibilitychange", update)
  }, [session, chatOpen])
}

function useTitle(session: Session): void {
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
function useNotifications(session: Session): void {
  const { t } = useTranslation()
  useEffect(() => {
    let before = session.unread.get()
    return session.unread.subscribe(() => {
      const unread = session.unread.get()
      const isNews = unread > before && document.hidden && settings.get().notifications
      before = unread
      if (!isNews) return
      try {
        const notification = new Notification(t("settings.newMessage"), { tag: session.handle.id })
        notification.addEventListener("click", () => window.focus())
      } catch {
        // Some telephones let only service workers do this.
      }
    })
  }, [session, t])
}

function useLeaveWarning(session: Session): void {
  const pending = useStore(session.pending).length
  const unsent = pending + useStore(session.held) > 0
  useEffect(() => {
    if (!unsent) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener("beforeunload", warn)
    return () => window.removeEventListener("beforeunload", warn)
  }, [unsent])
}
