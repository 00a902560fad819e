import { Tabs } from "radix-ui"
import { lazy } from "react"
import { useTranslation } from "react-i18next"
import { Badge } from "../attention/Badge.tsx"
import { ChatPanel } from "../chat/ChatPanel.tsx"
import { SettingsButton } from "../settings/SettingsButton.tsx"
import type { Session } from "../session/session.ts"
import { DismissButton } from "../ui/feedback/DismissButton.tsx"
import { LazyPart } from "../ui/LazyPart.tsx"
import { useFocusBack } from "../ui/useFocusBack.ts"
import { PeoplePanel } from "./members/PeoplePanel.tsx"
import { type DrawerTab, useDrawerTabs } from "./useDrawerTabs.ts"

const ToolsPanel = lazy(() => import("../tools/ToolsPanel.tsx"))

type DrawerProps = {
  readonly session: Session
  readonly tab: DrawerTab
  /** null closes the drawer. */
  readonly onTab: (tab: DrawerTab | null) => void
}

export function Drawer({ session, tab, onTab }: DrawerProps) {
  const { t } = useTranslation()
  const tabs = useDrawerTabs(session)
  useFocusBack(() => openerOf(tab), true)
  return (
    <aside className="drawer" aria-label={t("bar.drawer")}>
      <Tabs.Root
        className="tabs"
        value={tab}
        onValueChange={(value: string) => onTab(tabs.find((known) => known.tab === value)?.tab ?? "chat")}
      >
        <div className="tabs-head">
          <Tabs.List className="tabs-list" aria-label={t("bar.drawer")}>
            {tabs.map(({ tab: value, text, label, count }) => (
              <Tabs.Trigger key={value} value={value} className="tab" aria-label={label}>
                {text}
                <Badge count={count} />
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <div className="drawer-settings">
            <SettingsButton onIdentity={null} onDiagnostics={() => session.diagnosticsOpen.set(true)} />
          </div>
          <DismissButton label={t("bar.closeDrawer")} onClick={() => onTab(null)} />
        </div>
        <Tabs.Content value="chat" className="tab-content" tabIndex={-1}>
          <ChatPanel session={session} />
        </Tabs.Content>
        <Tabs.Content value="people" className="tab-content">
          <PeoplePanel session={session} />
        </Tabs.Content>
        <Tabs.Content value="tools" className="tab-content">
          <LazyPart open={tab === "tools"} onClose={() => onTab("chat")}>
            <ToolsPanel session={session} />
          </LazyPart>
        </Tabs.Content>
      </Tabs.Root>
    </aside>
  )
}

/** The button that opens this tab; the first one if the bar has no room for it. */
function openerOf(tab: DrawerTab): HTMLElement | null {
  const opener = document.querySelector<HTMLElement>(`[data-opens="${tab}"]`)
  const isShown = opener !== null && getComputedStyle(opener).display !== "none"
  return isShown ? opener : document.querySelector<HTMLElement>("[data-opens]")
}
