import { useState } from "react"
import { useTranslation } from "react-i18next"
import { useWaitingNotifications } from "../attention/useNotifications.ts"
import { OtherVersions } from "../conference/banners/OtherVersions.tsx"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { LobbyChat } from "./LobbyChat.tsx"
import { Brand } from "../ui/Brand.tsx"
import { ScreenTitle } from "../ui/ScreenTitle.tsx"

type WaitingForHostProps = { readonly session: Session; readonly onLeave: () => void }

/** Waiting for a host's admission, before entering or after a removal of it. */
export function WaitingForHost({ session, onLeave }: WaitingForHostProps) {
  const { t } = useTranslation()
  useWaitingNotifications(session)
  const { title } = session.handle
  const { hostHere, messages } = useStore(session.admission)
  const [draft, setDraft] = useState("")
  return (
    <main className="page">
      <div className="card">
        <Brand />
        <ScreenTitle>{t("hosts.waiting")}</ScreenTitle>
        {title !== "" && <p dir="auto">{title}</p>}
        <p className="working" role="status">
          <span className="spinner" aria-hidden="true" />
          {hostHere ? t("hosts.waitingHint") : t("hosts.waitingAlone")}
        </p>
        {hostHere && (
          <LobbyChat
            messages={messages}
            label={t("hosts.writeToHost")}
            guest={null}
            draft={draft}
            onDraft={setDraft}
            onWrite={(text) => session.handle.sendLobbyMessage(text)}
          />
        )}
        <div role="status">
          <OtherVersions session={session} />
        </div>
        <button type="button" className="button" onClick={onLeave}>
          {t("hosts.stopWaiting")}
        </button>
      </div>
    </main>
  )
}
