import type { ChannelMessage } from "@keymoot/core"
import { useSyncExternalStore } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"
import { Failure } from "../../ui/feedback/Failure.tsx"

type ErasingStateProps = {
  readonly message: ChannelMessage
  /** It is removed from the screens already. */
  readonly deleted: boolean
  readonly session: Session
}

/** Under my message: its deletion is in progress, or has failed. */
export function ErasingState({ message, deleted, session }: ErasingStateProps) {
  const { t } = useTranslation()
  const { erasing } = session
  const state = useSyncExternalStore(erasing.subscribe, () => erasing.get().get(message.id))
  if (state === undefined) return null
  if (state === "waiting") return deleted ? null : <p className="message-state">{t("chat.deleting")}</p>
  return (
    <div className="message-state">
      <Failure text={t(deleted ? "chat.notErased" : "chat.notDeleted")} />
      <button type="button" className="link-button" onClick={() => session.erase(message.id)}>
        {t("chat.retry")}
      </button>
    </div>
  )
}
