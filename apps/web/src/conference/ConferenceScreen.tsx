import "../styles/chat-more.css"
import "../styles/files.css"
import "../styles/people.css"
import { useState } from "react"
import { useTranslation } from "react-i18next"
import { BoardPane } from "../board/BoardPane.tsx"
import { FileDrop } from "../files/FileDrop.tsx"
import { Alarms } from "../people/Alarms.tsx"
import { LazyVerifyDialog } from "../people/lazyPeople.tsx"
import { WaitingForHost } from "../hosts/WaitingForHost.tsx"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Modal } from "../ui/Modal.tsx"
import { Banners } from "./Banners.tsx"
import { Drawer } from "./Drawer.tsx"
import type { DrawerTab } from "./Drawer.tsx"
import { NewsAnnouncer } from "./NewsAnnouncer.tsx"
import { ShortcutList } from "./ShortcutList.tsx"
import { TopBar } from "./TopBar.tsx"
import { useActivity, useLeaveWarning, useNotifications, useReading, useTitle } from "./pageHooks.ts"
import { useShortcuts } from "./useShortcuts.ts"

export { RemainsActions } from "./RemainsActions.tsx"

type ConferenceScreenProps = { readonly session: Session; readonly onLeave: () => void }

/** On a phone the whiteboard comes first, and the drawer is a sheet that is called. */
const isPhone = () => matchMedia("(max-width: 720px)").matches

export default function ConferenceScreen({ session, onLeave }: ConferenceScreenProps) {
  const { waiting } = useStore(session.admission)
  if (waiting) return <WaitingForHost title={session.handle.title} onLeave={onLeave} />
  return <Room session={session} onLeave={onLeave} />
}

function Room({ session, onLeave }: ConferenceScreenProps) {
  const { t } = useTranslation()
  const [drawer, setDrawer] = useState<DrawerTab | null>(() => (isPhone() ? null : "chat"))
  useReading(session, drawer === "chat")
  useTitle(session)
  useLeaveWarning(session)
  useNotifications(session)
  useActivity(session)
  const { help, setHelp } = useShortcuts(session, setDrawer)
  return (
    <div className="conference" data-drawer={drawer === null ? "closed" : "open"}>
      <TopBar session={session} drawer={drawer} onDrawer={setDrawer} onLeave={onLeave} />
      <Alarms session={session} />
      <FileDrop session={session}>
        <div className="board-area">
          <BoardPane session={session} />
          <Banners session={session} />
        </div>
        {drawer !== null && <Drawer session={session} tab={drawer} onTab={setDrawer} />}
      </FileDrop>
      <NewsAnnouncer session={session} />
      <Modal title={t("shortcuts.title")} closeLabel={t("protection.close")} open={help} onOpenChange={setHelp}>
        <ShortcutList />
      </Modal>
      <LazyVerifyDialog session={session} />
    </div>
  )
}
