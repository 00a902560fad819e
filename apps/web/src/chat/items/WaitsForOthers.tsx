import type { ChannelMessage } from "@keymoot/core"
import { useSyncExternalStore } from "react"
import { useTranslation } from "react-i18next"
import type { Session } from "../../session/session.ts"

type WaitsForOthersProps = { readonly message: ChannelMessage; readonly session: Session }

/** Under my message while everybody else is unreachable, until a member returns that can receive it. */
export function WaitsForOthers({ message, session }: WaitsForOthersProps) {
  const { t } = useTranslation()
  const { aloneSince } = session
  const waits = useSyncExternalStore(aloneSince.subscribe, () => {
    const epoch = aloneSince.get()
    return message.from.self && epoch !== null && message.position.epoch >= epoch
  })
  return waits ? <p className="message-state">{t("chat.waitsForOthers")}</p> : null
}
