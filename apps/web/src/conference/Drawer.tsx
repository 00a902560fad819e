import { X } from "lucide-react"
import { Tabs } from "radix-ui"
import { useTranslation } from "react-i18next"
import { ChatPanel } from "../chat/ChatPanel.tsx"
import { SettingsButton } from "../settings/SettingsButton.tsx"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { PeoplePanel } from "./PeoplePanel.tsx"

export type DrawerTab = "chat" | "people"

type DrawerProps = {
  readonly session: Session
  readonly tab: DrawerTab
  /** null closes the drawer. */
  readonly onTab: (tab: DrawerTab | null) => void
}

export function Drawer({ session, tab, onTab }: DrawerProps) {
  const { t } = useTranslation()
  const unread = useStore(session.unread)
  return (
    <aside className="drawer" aria-label={t("bar.drawer")}>
      <Tabs.Root
        className="tabs"
        value={tab}
        onValueChange={(value: string) => onTab(value === "people" ? "people" : "chat")}
      >
        <div className="tabs-head">
          <Tabs.List className="tabs-list" aria-label={t("bar.drawer")}>
            <Tabs.Trigger
              value="chat"
              className="tab"
              aria-label={unread > 0 ? t("bar.chatUnread", { count: unread }) : t("bar.chat")}
            >
              {t("bar.chat")}
              {unread > 0 && <span className="badge">{unread > 99 ? "99+" : unread}</span>}
            </Tabs.Trigger>
            <Tabs.Trigger value="people" className="tab">
              {t("bar.people")}
            </Tabs.Trigger>
          </Tabs.List>
          <SettingsButton onIdentity={null} onDiagnostics={() => session.diagnosticsOpen.set(true)} />
          <button type="button" className="icon-button" aria-label={t("bar.closeDrawer")} onClick={() => onTab(null)}>
            <X aria-hidden />
          </button>
        </div>
        <Tabs.Content value="chat" className="tab-content" tabIndex={-1}>
          <ChatPanel session={session} />
        </Tabs.Content>
        <Tabs.Content value="people" className="tab-content">
          <PeoplePanel session={session} />
        </Tabs.Content>
      </Tabs.Root>
    </aside>
  )
}
