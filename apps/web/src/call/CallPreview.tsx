import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"
import { Modal } from "../ui/Modal.tsx"
import { CallProblemNote } from "./notes/CallProblemNote.tsx"
import { HiddenAddressNote } from "./notes/HiddenAddressNote.tsx"
import { LinksNote } from "./notes/LinksNote.tsx"
import { SilencedNote } from "./notes/SilencedNote.tsx"
import { DevicesMenu } from "./DevicesMenu.tsx"
import { DeviceToggles } from "./DeviceToggles.tsx"
import { LevelMeter } from "./LevelMeter.tsx"
import { SpeakerTest } from "./SpeakerTest.tsx"
import { useFocusInCall } from "./useFocusInCall.ts"
import { TrackVideo } from "./TrackVideo.tsx"

type CallPreviewProps = { readonly session: Session; readonly viewer: boolean }

/** A look at the own camera and microphone before anybody else sees and hears them. */
export function CallPreview({ session, viewer }: CallPreviewProps) {
  const { t } = useTranslation()
  const { call } = session
  useFocusInCall()
  const state = useStore(call.state)
  const own = useStore(call.own)
  const microphone = own.get("microphone") ?? null
  const close = (open: boolean): void => {
    if (!open) call.cancel()
  }
  if (!call.supported) {
    return (
      <Modal title={t("call.title")} closeLabel={t("protection.close")} open onOpenChange={close}>
        <p className="hint">{t("call.unavailable")}</p>
      </Modal>
    )
  }
  return (
    <Modal title={t("call.title")} closeLabel={t("protection.close")} open onOpenChange={close}>
      <div className="call-preview">
        <div className="call-preview-picture">
          <TrackVideo track={own.get("camera") ?? null} label={t("call.preview")} mirrored />
          {!own.has("camera") && <p className="hint">{t("call.previewOff")}</p>}
        </div>
        <LevelMeter track={microphone} />
        <SpeakerTest call={call} />
        {viewer && <p className="hint">{t("call.viewer")}</p>}
        {!viewer && <p className={own.size === 0 ? "hint" : "hint call-kept-place"}>{t("call.muted")}</p>}
        <p className="hint">{t("call.recording")}</p>
        <LinksNote session={session} />
        <HiddenAddressNote session={session} />
        <CallProblemNote call={call} />
        <SilencedNote call={call} />
        <div className="call-controls">
          {!viewer && <DeviceToggles call={call} />}
          <DevicesMenu call={call} viewer={viewer} />
          <button
            type="button"
            className="button primary"
            disabled={state === "entering"}
            onClick={() => void call.join()}
          >
            {state === "entering" ? t("call.entering") : t("call.join")}
          </button>
        </div>
      </div>
    </Modal>
  )
}
