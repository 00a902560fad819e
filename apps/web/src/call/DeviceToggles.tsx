import { Mic, MicOff, MonitorUp, MonitorX, Video, VideoOff } from "lucide-react"
import { useTranslation } from "react-i18next"
import type { SessionCall } from "../session/call.ts"
import { useStore } from "../store.ts"
import type { CallToggle } from "./model/openTracks.ts"

const ICONS = {
  microphone: [Mic, MicOff],
  camera: [Video, VideoOff],
  screen: [MonitorX, MonitorUp],
} as const

type DeviceTogglesProps = {
  readonly call: SessionCall
  /** Whether the screen can be shared here. */
  readonly screen?: boolean
}

/** Toggle buttons. Their names stay the same, and `aria-pressed` says whether the device is on. */
export function DeviceToggles({ call, screen = false }: DeviceTogglesProps) {
  const { t } = useTranslation()
  const own = useStore(call.own)
  const silenced = useStore(call.silenced)
  // Phones cannot share their screen.
  const sharesScreen = screen && "getDisplayMedia" in (navigator.mediaDevices ?? {})
  const toggles: readonly CallToggle[] = sharesScreen ? ["microphone", "camera", "screen"] : ["microphone", "camera"]
  return toggles.map((toggle) => {
    const isOn = own.has(toggle)
    const [On, Off] = ICONS[toggle]
    return (
      <button
        key={toggle}
        type="button"
        className="button call-toggle"
        aria-label={t(`call.${toggle}`)}
        aria-pressed={isOn}
        onClick={({ detail, currentTarget }) => {
          // After a click of a pointer, the space bar talks: on the button, its release would switch the device.
          if (detail > 0) currentTarget.closest<HTMLElement>("section.call")?.focus({ preventScroll: true })
          void call.toggle(toggle)
        }}
      >
        {isOn && !silenced.has(toggle) ? <On aria-hidden /> : <Off aria-hidden />}
        <span className="call-label">{t(`call.${toggle}`)}</span>
      </button>
    )
  })
}
