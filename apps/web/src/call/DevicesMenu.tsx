import { Settings2 } from "lucide-react"
import { Popover } from "radix-ui"
import { useTranslation } from "react-i18next"
import type { SessionCall } from "../session/call.ts"
import { useStore } from "../store.ts"
import { Choice } from "../ui/Choice.tsx"
import type { DeviceUse } from "./model/devices.ts"

type DevicesMenuProps = {
  readonly call: SessionCall
  /** Listens only, so it needs no microphone and no camera. */
  readonly viewer: boolean
}

/** Choice of the microphone, the camera and the speaker. It follows what is plugged in. */
export function DevicesMenu({ call, viewer }: DevicesMenuProps) {
  const { t } = useTranslation()
  const known = useStore(call.devices.known)
  useStore(call.devices.changed)
  const uses: readonly DeviceUse[] = viewer ? ["speaker"] : ["microphone", "camera", "speaker"]
  const shown = uses.filter((use) => known[use].length > 0)
  return (
    <Popover.Root>
      <Popover.Trigger className="button call-devices" aria-label={t("call.devices")}>
        <Settings2 aria-hidden /> <span className="call-label">{t("call.devices")}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover"
          align="end"
          sideOffset={8}
          collisionPadding={8}
          aria-label={t("call.devices")}
        >
          {shown.length === 0 && <p className="hint">{t(viewer ? "call.noSpeakers" : "call.noDevices")}</p>}
          {shown.map((use) => (
            <Choice
              key={use}
              label={t(`call.choose.${use}`)}
              choices={["", ...known[use].map(({ deviceId }) => deviceId)]}
              chosen={call.devices.chosen(use) ?? ""}
              onChoose={(deviceId) => call.choose(use, deviceId === "" ? null : deviceId)}
              describe={(deviceId) =>
                deviceId === ""
                  ? t("call.defaultDevice")
                  : (known[use].find((device) => device.deviceId === deviceId)?.label ?? "") || t("call.unnamedDevice")
              }
            />
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
