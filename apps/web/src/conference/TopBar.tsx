import { X } from "lucide-react"
import type { ReactNode } from "react"
import { useTranslation } from "react-i18next"
import { Badge } from "../attention/Badge.tsx"
import { CallButton } from "../call/CallButton.tsx"
import { InvitationCodeButton } from "../people/InvitationCodeButton.tsx"
import { SettingsButton } from "../settings/SettingsButton.tsx"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Brand } from "../ui/Brand.tsx"
import { ScreenTitle } from "../ui/ScreenTitle.tsx"
import { useFocusBack } from "../ui/useFocusBack.ts"
import { CopyLink } from "./CopyLink.tsx"
import { EndTime } from "../ending/EndTime.tsx"
import { isEndedEarly, timeOf } from "../ending/timeOf.ts"
import { LeaveButton } from "./LeaveButton.tsx"
import { SecurityLock } from "../security/SecurityLock.tsx"
import { type DrawerTab, useDrawerTabs } from "./useDrawerTabs.ts"

type TopBarProps = {
  readonly session: Session
  readonly drawer: DrawerTab | null
  readonly onDrawer: (tab: DrawerTab) => void
  readonly onLeave: () => void
}

type CopyTopBarProps = Omit<TopBarProps, "onLeave"> & { readonly onClose: () => void }

export function TopBar({ session, drawer, onDrawer, onLeave }: TopBarProps) {
  const { title } = session.handle
  const url = useStore(session.invitation)
  return (
    <Head endLine={<EndTime session={session} />}>
      <ScreenTitle className="top-title">
        <Brand />
        {title !== "" && (
          <span className="conference-title" dir="auto">
            {title}
          </span>
        )}
      </ScreenTitle>
      <SecurityLock session={session} />
      <EndTime session={session} />
      <div className="top-actions">
        <CopyLink url={url} />
        <InvitationCodeButton session={session} className="bar-button bar-qr" />
        <CallButton session={session} />
        {drawer === null && <DrawerButtons session={session} onDrawer={onDrawer} />}
        <div className="bar-settings">
          <SettingsButton onIdentity={null} onDiagnostics={() => session.diagnosticsOpen.set(true)} />
        </div>
        <LeaveButton session={session} onLeave={onLeave} />
      </div>
    </Head>
  )
}

/** Above a copy on this device: nobody is here, and nothing can be sent. */
export function CopyTopBar({ session, drawer, onDrawer, onClose }: CopyTopBarProps) {
  const { t, i18n } = useTranslation()
  const { title, timeFrame } = session.handle
  const time = timeOf(timeFrame.endsAtMs, i18n.language)
  const end = (
    <p className="end-time">
      {isEndedEarly(timeFrame)
        ? t("ending.early")
        : t(Date.now() < timeFrame.endsAtMs ? "bar.endsAt" : "bar.endedAt", { time })}
    </p>
  )
  return (
    <Head endLine={end}>
      <h1 className="top-title">
        <Brand />
        <span className="conference-title" dir="auto">
          {title}
        </span>
      </h1>
      {end}
      <div className="top-actions">
        {drawer === null && <DrawerButtons session={session} onDrawer={onDrawer} />}
        <button type="button" className="button bar-button" aria-label={t("bar.closeCopy")} onClick={onClose}>
          <X aria-hidden />
          <span className="bar-label">{t("bar.closeCopy")}</span>
        </button>
      </div>
    </Head>
  )
}

/** `endLine`: the end of the conference, below the bar where a narrow window has no room for it in the bar. */
function Head({ endLine, children }: { readonly endLine: ReactNode; readonly children: ReactNode }) {
  return (
    <header>
      <div className="top-bar">{children}</div>
      <div className="end-line">{endLine}</div>
    </header>
  )
}

function DrawerButtons({ session, onDrawer }: Pick<TopBarProps, "session" | "onDrawer">) {
  // The drawer takes the place of these buttons.
  useFocusBack(() => document.querySelector<HTMLElement>('.tab[data-state="active"]'), true)
  return useDrawerTabs(session).map(({ tab, Icon, text, label, count }) => (
    <button
      key={tab}
      type="button"
      className="button bar-button"
      data-opens={tab}
      aria-label={label}
      onClick={() => onDrawer(tab)}
    >
      <Icon aria-hidden />
      <span className="bar-label">{text}</span>
      <Badge count={count} />
    </button>
  ))
}
