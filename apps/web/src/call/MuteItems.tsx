import type { Member } from "@keymoot/core"
import { Mic, MicOff } from "lucide-react"
import { DropdownMenu } from "radix-ui"
import { useTranslation } from "react-i18next"
import type { Session } from "../session/session.ts"
import { useStore } from "../store.ts"

type MuteItemsProps = {
  readonly session: Session
  readonly member: Member
  readonly onAsk: (asking: Promise<void>) => void
}

/** A host's items about the microphone of a person in the call. */
export function MuteItems({ session: { call }, member, onAsk }: MuteItemsProps) {
  const { t } = useTranslation()
  const participant = useStore(call.participants).find((each) => each.member.id === member.id)
  const state = useStore(call.state)
  if (state !== "in" || !participant || !member.mayRemove || member.role === "viewer") return null
  const isOn = participant.published.has("microphone")
  return (
    <>
      <DropdownMenu.Separator className="menu-line" />
      <DropdownMenu.Item className="menu-item" onSelect={() => onAsk(call.ask(member.id, isOn ? "mute" : "unmute"))}>
        {isOn ? <MicOff aria-hidden /> : <Mic aria-hidden />} {t(isOn ? "call.mute" : "call.askToUnmute")}
      </DropdownMenu.Item>
    </>
  )
}
