import { useTranslation } from "react-i18next"
import { useStore } from "../../store.ts"
import { playRefused, refusedSound } from "../model/refusedSound.ts"
import { useFocusInCall } from "../useFocusInCall.ts"

/** Says that nobody is heard since the browser waits for a press, which the button is. */
export function RefusedSoundNote() {
  const refused = useStore(refusedSound)
  return (
    <div role="status" className="call-note">
      {refused.size > 0 && <Refused />}
    </div>
  )
}

function Refused() {
  const { t } = useTranslation()
  useFocusInCall(true)
  return (
    <>
      <p className="field-error">{t("call.soundRefused")}</p>
      <button type="button" className="button primary" onClick={playRefused}>
        {t("call.playSound")}
      </button>
    </>
  )
}
