import "../styles/chat-more.css"
import "../styles/files.css"
import "../styles/people.css"
import { useEffect, useState } from "react"
import { useTranslation } from "react-i18next"
import { useNotifications } from "../attention/useNotifications.ts"
import { BoardPane } from "../board/BoardPane.tsx"
import { LazyCall, LazyCallStage } from "../call/LazyCall.tsx"
import { FileDrop } from "../files/FileDrop.tsx"
import { Alarms } from "../people/Alarms.tsx"
import { LazyVerifyDialog } from "../people/lazyPeople.tsx"
import { LazyDiagnostics } from "../diagnostics/LazyDiagnostics.tsx"
import { WaitingForHost } from "../hosts/WaitingForHost.tsx"
import { UpdateBanner, UpdateNote } from "../pwa/UpdateNote.tsx"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Modal } from "../ui/Modal.tsx"
import { Banners } from "./banners/Banners.tsx"
import { CopyBanner } from "../ending/CopyBanner.tsx"
import { Drawer } from "./Drawer.tsx"
import type { DrawerTab } from "./useDrawerTabs.ts"
import { NewsAnnouncer } from "./banners/NewsAnnouncer.tsx"
import { TimerAnnouncer } from "../tools/timer/TimerPill.tsx"
import { ShortcutList } from "./ShortcutList.tsx"
import { CopyTopBar, TopBar } from "./TopBar.tsx"
import { useActivity, useLeaveWarning, useReading, useTitle } from "./pageHooks.ts"
import { useShortcuts } from "./useShortcuts.ts"

export { RemainsActions } from "./RemainsActions.tsx"
/** Here, so that the start page does not load it. */
export { openSession } from "../session/session.ts"

type ConferenceScreenProps = {
  readonly session: Session
  /** Deletes the copy on this device. */
  readonly onLeave: () => void
  /** Keeps it. */
  readonly onClose: () => void
  /** Enters again from a copy, after the end that it knows. */
  readonly onLate: () => void
}

/** On a phone the whiteboard comes first, and the drawer is a sheet that opens on demand. */
const isPhone = () => matchMedia("(max-width: 720px)").matches

export default function ConferenceScreen({ session, ...on }: ConferenceScreenProps) {
  const { waiting } = useStore(session.admission)
  if (!waiting || session.handle.copyOnly) return <Room session={session} {...on} />
  return (
    <>
      <WaitingForHost session={session} onLeave={on.onLeave} />
      <UpdateNote hint="update.hint" />
    </>
  )
}

function Room({ session, onLeave, onClose, onLate }: ConferenceScreenProps) {
  const { t } = useTranslation()
  const { copyOnly } = session.handle
  const [drawer, setDrawer] = useState<DrawerTab | null>(() => (isPhone() ? null : "chat"))
  const isJumping = useStore(session.jumpTo) !== null
  useEffect(() => {
    if (isJumping) setDrawer("chat")
  }, [isJumping])
  const wanted = useStore(session.panelWanted)
  useEffect(() => {
    if (wanted === null) return
    setDrawer(wanted)
    session.panelWanted.set(null)
  }, [session, wanted])
  useReading(session, drawer === "chat")
  useTitle(session)
  useLeaveWarning(session)
  useNotifications(session)
  useActivity(session)
  const { help, setHelp } = useShortcuts(session, setDrawer)
  return (
    <div className="conference" data-drawer={drawer === null ? "closed" : "open"}>
      {copyOnly ? (
        <CopyTopBar session={session} drawer={drawer} onDrawer={setDrawer} onClose={onClose} />
      ) : (
        <TopBar session={session} drawer={drawer} onDrawer={setDrawer} onLeave={onLeave} />
      )}
      <Alarms session={session} />
      <LazyCall session={session} />
      <FileDrop session={session}>
        <LazyCallStage session={session} />
        <div className="board-area">
          <BoardPane session={session} />
          {copyOnly ? (
            <div className="banners" role="status" aria-atomic="false">
              <UpdateBanner />
              <CopyBanner session={session} onForget={onLeave} onLate={onLate} />
            </div>
          ) : (
            <Banners session={session} drawerOpen={drawer !== null} />
          )}
        </div>
        {drawer !== null && <Drawer session={session} tab={drawer} onTab={setDrawer} />}
      </FileDrop>
      <NewsAnnouncer session={session} />
      <TimerAnnouncer session={session} />
      <Modal title={t("shortcuts.title")} closeLabel={t("protection.close")} open={help} onOpenChange={setHelp}>
        <ShortcutList />
      </Modal>
      <LazyVerifyDialog session={session} />
      <LazyDiagnostics session={session} />
    </div>
  )
}
