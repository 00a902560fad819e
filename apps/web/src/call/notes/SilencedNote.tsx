import { useTranslation } from "react-i18next"
import type { SessionCall } from "../../session/call.ts"
import { useStore } from "../../store.ts"
import { SILENCED_DEVICES } from "../model/silenced.ts"

/** Says which device is on and carries nothing, and where the person can change that. */
export function SilencedNote({ call }: { readonly call: Pick<SessionCall, "silenced"> }) {
  const { t } = useTranslation()
  const silenced = useStore(call.silenced)
  return (
    <div role="status" className="call-note">
      {SILENCED_DEVICES.filter((device) => silenced.has(device)).map((device) => (
        <p key={device} className="field-error">
          {t(`call.silenced.${device}`)}
        </p>
      ))}
    </div>
  )
}
